import { describe, expect, it } from 'vitest';
import { dateText, type Manner, type Nights, Platform } from './platform.ts';
import { familyOf, firstDay, World } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nights: Nights = { from: firstDay + 3, to: firstDay + 5 };
const renames: Manner = {
  form: 'dates',
  reExports: true,
  newUids: true,
  merges: 'never',
  knowsHours: false,
  everyMs: 2 * hourMs,
  lagMs: 5 * hourMs,
};

/** A listing that several platforms follow, and the hours of a cancelled stay's first night that are taken. */
const scene = async (manners: readonly Manner[]) => {
  const [listing] = familyOf(0);
  const world = new World([listing!], undefined);
  await world.open();
  for (const [n, manner] of manners.entries()) {
    const platform = new Platform(`platform-${n}`, listing!.id, manner);
    platform.book({ from: firstDay + 40 + n, to: firstDay + 41 + n }, world.now - 24 * hourMs);
    world.platforms.push(platform);
    await world.follow(platform);
  }
  /** Polls every ten minutes; says after which hours a night of the stay was taken. */
  const pass = async (hours: number): Promise<number[]> => {
    const taken: number[] = [];
    for (let minute = 0; minute < hours * 60; minute += 10) {
      await world.tell();
      for (const platform of world.platforms) {
        if (platform.nextFetchAt <= world.now) {
          platform.nextFetchAt = world.now + platform.manner.everyMs;
          await world.give(platform);
        }
        await world.poll(platform);
      }
      world.now += 10 * minuteMs;
      if ((await world.taken(listing!, nights)).size > 0) taken.push(minute / 60);
    }
    return taken;
  };
  return { world, listing: listing!, pass };
};

it('platforms that rename and delay what they hand on hold a cancelled night for hours, not in a circle for ever', async () => {
  const { world, listing, pass } = await scene([renames, renames, renames]);
  const booking = await world.book(listing.id, nights);
  await pass(12);
  await world.cancel(booking!);
  const taken = await pass(60);
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.at(-1)).toBeLessThan(24);
});

it('platforms that keep their UIDs never take a cancelled night, however late they are', async () => {
  const slow = { ...renames, newUids: false };
  const { world, listing, pass } = await scene([slow, slow, slow]);
  const booking = await world.book(listing.id, nights);
  await pass(12);
  await world.cancel(booking!);
  expect(await pass(60)).toEqual([]);
});

it.each([
  ['that keeps its UIDs', false],
  ['that renames everything', true],
])(
  'a platform %s and sells a cancelled stay’s nights right after it has fetched: they are taken when its calendar shows it',
  async (_, newUids) => {
    const manner = { ...renames, newUids, lagMs: 0 };
    const { world, listing, pass } = await scene([manner]);
    const booking = await world.book(listing.id, nights);
    await pass(4);
    await world.cancel(booking!);
    const [platform] = world.platforms;
    await world.tell();
    await world.give(platform!);
    expect(platform!.book(nights, world.now), dateText(nights.from)).toBe(true);
    world.now += 10 * minuteMs;
    await world.poll(platform!);
    expect(await world.taken(listing, nights)).toEqual(new Set([nights.from, nights.from + 1]));
  },
);

it('what is left of a cancelled stay is the echo of the next one of the same nights, where UIDs are those of the nights', async () => {
  const { world, listing } = await scene([
    { ...renames, newUids: false, merges: 'imported', lagMs: 10 * minuteMs },
  ]);
  const [platform] = world.platforms as [Platform];
  const after = async (minutes: number, act: (platform: Platform) => Promise<unknown>) => {
    world.now += minutes * minuteMs;
    await act(platform);
    await world.tell();
  };
  const conflicts = async () => (await world.feed(platform)).conflicts.length;
  const booking = await world.book(listing.id, nights);
  await after(0, (one) => world.give(one));
  await after(5, () => world.cancel(booking!));
  await after(0, (one) => world.give(one));
  await after(1, () => world.book(listing.id, nights));
  await after(6, (one) => world.poll(one));
  expect(await conflicts()).toBe(1);
  await after(11, (one) => world.poll(one));
  await after(1, (one) => world.give(one));
  await after(11, (one) => world.poll(one));
  expect(await conflicts()).toBe(0);
});

describe('a platform sells a cancelled stay’s nights, which another one hands on before its calendar is seen', () => {
  const wide: Nights = { from: nights.from - 1, to: nights.to + 1 };

  /** The other's hold has come and gone, and a longer stay of ours stands over the sale. */
  const soldBehindHold = async ({ isDown, echoWent }: { isDown: boolean; echoWent: boolean }) => {
    const seller: Manner = { ...renames, newUids: false, merges: 'imported', lagMs: 0 };
    const { world, listing } = await scene([seller, { ...renames, lagMs: 3 * hourMs }]);
    const [first, second] = world.platforms as [Platform, Platform];
    const round = async (hours: number, ...polled: Platform[]) => {
      world.now += hours * hourMs;
      await world.tell();
      for (const platform of polled) await world.poll(platform);
    };
    const booking = await world.book(listing.id, nights);
    for (const platform of world.platforms) await world.give(platform);
    await round(4, first, second);
    await world.cancel(booking!);
    await round(0);
    for (const platform of world.platforms) await world.give(platform);
    await round(1, ...(echoWent ? [first] : []));
    expect(first.book(nights, world.now)).toBe(true);
    first.isDown = true;
    await round(0, second);
    expect(await world.taken(listing, nights)).toEqual(new Set([nights.from, nights.from + 1]));
    await world.give(first);
    first.isDown = isDown;
    await round(1, first);
    await round(2, second);
    await round(1, second);
    expect(await world.taken(listing, nights)).toEqual(new Set());
    expect(await world.book(listing.id, wide)).toBeDefined();
    await world.give(first);
    first.isDown = false;
    return { first, round, conflicts: async () => (await world.feed(first)).conflicts };
  };
  const conflict = {
    start_at: `${dateText(nights.from)}T14:00:00`,
    end_at: `${dateText(nights.to)}T12:00:00`,
    booking_id: expect.any(Number) as number,
  };

  it('a sale first seen after that is a conflict at once where UIDs are kept', async () => {
    const { first, round, conflicts } = await soldBehindHold({ isDown: true, echoWent: false });
    await round(1, first);
    expect(await conflicts()).toEqual([conflict]);
  });

  it('one that was taken for the echo of the hold is a conflict 10 hours after its follower was given none', async () => {
    const { first, round, conflicts } = await soldBehindHold({ isDown: false, echoWent: true });
    await round(9, first);
    expect(await conflicts()).toEqual([]);
    await round(2, first);
    expect(await conflicts()).toEqual([conflict]);
  });
});
