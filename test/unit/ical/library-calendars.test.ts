import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hoursRead } from '../../prove/ical/reading/compare-reading.ts';
import { randomCalendar } from '../../prove/ical/reading/random-calendar.ts';
import { type Recorded, shortened } from '../../prove/ical/reading/recorded.ts';

const folder = join(import.meta.dirname, '../../fixtures/ical/libraries');
const recorded = JSON.parse(readFileSync(join(folder, 'independent.json'), 'utf8')) as Record<
  string,
  Recorded[]
>;
const taken = (text: string, { home, now }: Pick<Recorded, 'home' | 'now'>) => {
  const read = hoursRead(text, home, Date.parse(now));
  return typeof read === 'string' ? read : shortened(read.hours);
};

describe.each(['UTC', 'Asia/Ho_Chi_Minh', 'America/New_York'])('a machine in %s', (zone) => {
  beforeEach(() => {
    process.env['TZ'] = zone;
    return () => Reflect.deleteProperty(process.env, 'TZ');
  });

  it.each(Object.entries(recorded))('reads %s as another library does', (file, readings) => {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const { home, now, ...expected } of readings) expect(taken(text, { home, now })).toEqual(expected);
  });
});

it('random calendars are read alike in every zone of the machine', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { text, home, now } = randomCalendar(seed);
    const readings = ['UTC', 'Pacific/Apia', 'America/New_York'].map((zone) => {
      process.env['TZ'] = zone;
      return hoursRead(text, home, now);
    });
    Reflect.deleteProperty(process.env, 'TZ');
    expect(readings[1]).toEqual(readings[0]);
    expect(readings[2]).toEqual(readings[0]);
  }
});
