import { expect, it } from 'vitest';
import { type Nights, plainManner, Platform } from './platform.ts';
import { familyOf, firstDay, World } from './world.ts';

const minuteMs = 60_000;
const nights: Nights = { from: firstDay + 3, to: firstDay + 5 };

/** A house of two rooms: one is sold here, and the house on a platform, for the same nights before it fetched. */
const scene = async () => {
  const [house, room, other] = familyOf(2);
  const world = new World([house!, room!, other!], undefined);
  await world.open();
  const platform = new Platform('platform-0', house!.id, plainManner);
  for (const day of [30, 40, 50, 60])
    platform.book({ from: firstDay + day, to: firstDay + day + 1 }, world.now);
  world.platforms.push(platform);
  await world.follow(platform);
  const booking = await world.book(room!.id, nights);
  platform.book(nights, world.now);
  const poll = async () => {
    await world.tell();
    await world.poll(platform);
    world.now += 10 * minuteMs;
  };
  await poll();
  await world.give(platform);
  await poll();
  const state = async () => ({
    taken: (await world.taken(other!, nights)).size,
    conflicts: (await world.feed(platform)).conflicts.length,
    echoes: (await world.followed(platform)).echoes,
  });
  const cancelThere = () => platform.cancel(platform.bookings.length - 1, world.now);
  return { world, platform, booking: booking!, poll, state, cancelThere };
};

it('a sale beside an echo of the same nights is explained by the stay, and vanishes without a trace', async () => {
  const { poll, state, cancelThere } = await scene();
  expect(await state()).toEqual({ taken: 0, conflicts: 0, echoes: 1 });
  cancelThere();
  await poll();
  await poll();
  expect(await state()).toEqual({ taken: 0, conflicts: 0, echoes: 1 });
});

it('an echo that vanishes beside a sale of the same nights leaves them taken', async () => {
  const { world, platform, booking, poll, state } = await scene();
  await world.cancel(booking);
  await world.tell();
  await world.give(platform);
  for (let fetch = 0; fetch < 3; fetch++) await poll();
  expect(await state()).toEqual({ taken: 2, conflicts: 0, echoes: 0 });
});
