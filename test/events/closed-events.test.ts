import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { platformScene, sold } from '../support/platform-scene.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => void (s = await platformScene()));
afterEach(async () => expect(await s.audited()).toEqual([]));

/** Keeps the calendar from being empty. */
const march = sold('b', '2027-03-01', '2027-03-03', 'Blocked');
const at = (from: string, to: string, text = 'Reserved') =>
  sold('a', `2027-02-${from}`, `2027-02-${to}`, text);
const closedText = 'Airbnb (Not available)';
const [open, closed] = [at('04', '07'), at('04', '07', closedText)];

const adopted = async (settings: object = {}, ...events: string[][]): Promise<number> => {
  s.publish(...(events.length > 0 ? events : [open]), march);
  await s.followAs({ label: 'Airbnb', ...settings });
  return s.adopt();
};
const next = async (...events: string[][]) => {
  s.publish(...events, march);
  return s.next();
};
const stateOf = async (id: number) => (await s.booking(id)).state;
const changeFeed = async (settings: object) => s.changeFeed((await s.list())[0]!.id, settings);

describe('an event whose text says that its nights are only closed', () => {
  it('cancels its stay at the second fetch, and they stay closed', async () => {
    const id = await adopted();
    expect(await next(closed)).toMatchObject({ conflicts: [] });
    expect(await stateOf(id)).toBe('CONFIRMED');
    expect(await next(closed)).toMatchObject({ status: 'ACTIVE', conflicts: [] });
    expect(await s.booking(id)).toMatchObject({
      ...{ state: 'CANCELLED', payment_status: 'REFUNDED', cancel_reason: 'The platform has cancelled it.' },
    });
    expect(await s.held()).toContain('IMPORTED 02-04T14 02-07T12');
    expect((await s.imported()).items).toEqual([]);
    const history = await s.historyOf(id);
    await next(closed);
    expect(await s.historyOf(id)).toEqual(history);
  });

  it('cancels nothing where the next fetch has the guest again, and counts anew then', async () => {
    const id = await adopted();
    for (const event of [closed, open, closed]) await next(event);
    expect(await stateOf(id)).toBe('CONFIRMED');
    await next(closed);
    expect(await stateOf(id)).toBe('CANCELLED');
  });

  it('counts good fetches in a row', async () => {
    const id = await adopted();
    await next(closed);
    s.remote.silent = true;
    await s.next();
    s.remote.silent = false;
    await next(closed);
    expect(await stateOf(id)).toBe('CONFIRMED');
    await next(closed);
    expect(await stateOf(id)).toBe('CANCELLED');
  });

  it('on other nights cancels it too, and closes those', async () => {
    const id = await adopted();
    for (let fetch = 0; fetch < 2; fetch++) await next(at('05', '09', closedText));
    expect(await stateOf(id)).toBe('CANCELLED');
    expect((await s.held()).filter((text) => / 02-/.test(text))).toEqual(['IMPORTED 02-05T14 02-09T12']);
  });

  it('of a stay that has moved before cancels it as well', async () => {
    const id = await adopted();
    await next(at('05', '08'));
    for (let fetch = 0; fetch < 2; fetch++) await next(at('05', '08', closedText));
    expect(await stateOf(id)).toBe('CANCELLED');
  });

  it('of a guest in house is a conflict', async () => {
    const soon = (text: string) => sold('a', '2027-01-15', '2027-01-18', text);
    const id = await adopted({}, soon('Reserved'));
    await s.desk.ok(s.host, 'checkInBooking', { params: { booking_id: id } });
    await next(soon(closedText));
    expect(await next(soon(closedText))).toMatchObject({ conflicts: [{ booking_id: id }] });
    expect(await stateOf(id)).toBe('CHECKED_IN');
  });
});

it('a calendar whose texts change for more than half of its stays at once cancels none: they are conflicts', async () => {
  const names = ['Anna', 'Reserved', 'Minh', 'Lan'];
  const shown = (...texts: string[]) =>
    texts.map((text, at) => sold(`s${at}`, `2027-02-${10 + 3 * at}`, `2027-02-${12 + 3 * at}`, text));
  s.publish(...shown(...names), march);
  await s.followAs({ label: 'Airbnb' });
  const ids = [await s.adopt(), await s.adopt(), await s.adopt(), await s.adopt()];
  for (let fetch = 0; fetch < 3; fetch++) {
    const { conflicts } = await next(...shown('Busy', 'Busy', 'Busy', 'Lan'));
    expect(conflicts.map(({ booking_id }) => booking_id)).toEqual(ids.slice(0, 3));
  }
  expect(new Set(await Promise.all(ids.map(stateOf)))).toEqual(new Set(['CONFIRMED']));
  await changeFeed({ counts_as: 'STAYS' });
  expect(await next(...shown('Busy', 'Busy', 'Busy', 'Busy'))).toMatchObject({ conflicts: [] });
  await changeFeed({ counts_as: 'BY_TEXT' });
  await next(...shown(...names));
  for (let fetch = 0; fetch < 2; fetch++) await next(...shown('Anna', 'Busy', 'Busy', 'Lan'));
  expect(await Promise.all(ids.map(stateOf))).toEqual([
    ...['CONFIRMED', 'CANCELLED', 'CANCELLED', 'CONFIRMED'],
  ]);
});

describe('what a host says of a whole calendar', () => {
  it('cancels none of its stays: neither that it has blocks alone', async () => {
    const id = await adopted();
    await changeFeed({ counts_as: 'BLOCKS' });
    for (let fetch = 0; fetch < 3; fetch++) await next(closed);
    expect(await stateOf(id)).toBe('CONFIRMED');
    await changeFeed({ counts_as: 'BY_TEXT' });
    for (let fetch = 0; fetch < 2; fetch++) await next(closed);
    expect(await stateOf(id)).toBe('CANCELLED');
  });

  it('nor that its texts count, which never said of them that they were stays', async () => {
    const id = await adopted({ counts_as: 'STAYS' }, closed);
    await changeFeed({ counts_as: 'BY_TEXT' });
    for (let fetch = 0; fetch < 3; fetch++) await next(closed);
    expect(await stateOf(id)).toBe('CONFIRMED');
  });
});

it('a calendar that a host reads anew leaves the cancellation to the next fetches', async () => {
  const id = await adopted();
  s.publish(closed, march);
  await s.followAs({});
  expect(await stateOf(id)).toBe('CONFIRMED');
  await s.next();
  await s.next();
  expect(await stateOf(id)).toBe('CANCELLED');
});
