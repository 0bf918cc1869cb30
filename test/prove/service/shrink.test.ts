import { describe, expect, it } from 'vitest';
import { parseLess } from './less.ts';
import { classOf, pageOf, type Played, shrink } from './shrink.ts';

const actors = new Map(['an', 'binh', 'chi', 'hoa'].map((name) => [name, 40]));

/** Fails as long as binh asks ten times and messages come twice. */
const play = async (
  _: number,
  less: { actors?: readonly string[]; faults?: readonly string[]; requests?: object },
) => {
  const requests = (less.requests ?? {}) as Record<string, number>;
  const left = [...actors].filter(([name]) => !less.actors?.includes(name));
  const asked = new Map(left.map(([name, most]) => [name, Math.min(most, requests[name] ?? most)]));
  const faults = ['twice', 'lost', 'late'].filter((kind) => !less.faults?.includes(kind));
  const isBroken = (asked.get('binh') ?? 0) >= 10 && faults.includes('twice');
  return {
    problems: isBroken ? ['order 17 has 2 stays, not 1'] : ['another problem'],
    lines: ['12:00 binh asks', '=> order 17 has 2 stays, not 1'],
    asked: [...asked.values()].reduce((sum, one) => sum + one, 0),
    actors: asked,
    faults,
  } satisfies Played;
};

describe('a history that fails is shortened', () => {
  it('to the actors, requests and faults without which it does not fail in the same way', async () => {
    const shrunk = await shrink({ seed: 1, play, mostPlays: 200 }, await play(1, {}));
    expect([...shrunk.played.actors]).toEqual([['binh', 10]]);
    expect(shrunk.played.faults).toEqual(['twice']);
    expect(shrunk.played.problems).toEqual(['order 17 has 2 stays, not 1']);
    expect(pageOf(shrunk).join('\n')).toMatch(/10 requests, of seed 1 without/);
  });

  it('within a number of histories', async () => {
    expect((await shrink({ seed: 1, play, mostPlays: 5 }, await play(1, {}))).plays).toBe(5);
  });

  it('whose problems may have other ids and times', () => {
    expect(classOf('order 17 is BOOKED with 0 stays')).toBe(classOf('order 4 is BOOKED with 12 stays'));
    expect(classOf('order 17 is BOOKED')).not.toBe(classOf('order 17 is HELD'));
  });

  it('and its option is read back, or refused', () => {
    expect(parseLess('{"hostileHours":0.5,"actors":["an"]}')).toEqual({ hostileHours: 0.5, actors: ['an'] });
    for (const text of ['', '[', '{"actors":"an"}', '{"hostileHours":"1"}'])
      expect(parseLess(text)).toBeUndefined();
  });
});
