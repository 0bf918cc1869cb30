import { expect, it } from 'vitest';
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
