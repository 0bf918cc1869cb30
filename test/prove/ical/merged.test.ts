import { beforeEach, describe, expect, it } from 'vitest';
import { type Nights, Platform, plainManner } from './platform.ts';
import { familyOf, firstDay, World } from './world.ts';

const hourMs = 3_600_000;

const night: Nights = { from: firstDay + 4, to: firstDay + 5 };
const around: Nights = { from: firstDay + 3, to: firstDay + 6 };

describe.each([
  ['that keeps its UIDs', false],
  ['that renames everything', true],
])('two platforms have sold a night, and one %s shows all that it has closed as one event', (_, newUids) => {
  const [listing] = familyOf(0);
  let world: World;
  let merging: Platform;
  let other: Platform;

  const poll = async (platform: Platform): Promise<void> => {
    world.now += hourMs;
    await world.tell();
    await world.poll(platform);
  };
  const isTaken = async (): Promise<boolean> => (await world.taken(listing!, night)).size > 0;

  beforeEach(async () => {
    world = new World([listing!], undefined);
    await world.open();
    merging = new Platform('merging', listing!.id, { ...plainManner, newUids, merges: 'everything' });
    other = new Platform('other', listing!.id, { ...plainManner, newUids: true });
    for (const [n, platform] of [merging, other].entries()) {
      platform.book({ from: firstDay + 40 + 2 * n, to: firstDay + 41 + 2 * n }, world.now - 24 * hourMs);
      world.platforms.push(platform);
      await world.follow(platform);
    }
    merging.book(night, world.now);
    await poll(merging);
    other.book(around, world.now);
    await poll(other);
    // What is left of the other's stay around the night, with hours of the date that belong to no night.
    await world.give(merging);
  });

  it('the night stays taken for the first while its event is one with the rest', async () => {
    expect(merging.eventOf(night)).toMatchObject(around);
    for (let fetch = 0; fetch < 3; fetch++) {
      await poll(merging);
      expect(await isTaken()).toBe(true);
    }
  });

  it('and when the other cancels, before the event is the night alone again', async () => {
    for (let fetch = 0; fetch < 2; fetch++) await poll(merging);
    other.cancel(1, world.now);
    for (let fetch = 0; fetch < 3; fetch++) {
      await poll(other);
      expect(await isTaken()).toBe(true);
    }
    await world.give(merging);
    for (let fetch = 0; fetch < 3; fetch++) {
      await poll(merging);
      expect(await isTaken()).toBe(true);
    }
  });

  it('and is free when the first cancels beside an echo that stood before', async () => {
    const own = merging.bookings[1]!;
    merging.manner.merges = 'imported';
    await poll(merging);
    const shown = merging.text(world.now).text.match(/BEGIN:VEVENT/g)?.length;
    merging.cancel(merging.bookings.indexOf(own), world.now);
    expect(merging.text(world.now).text.match(/BEGIN:VEVENT/g)).toHaveLength(shown! - 1);
    for (let fetch = 0; fetch < 3; fetch++) await poll(merging);
    other.cancel(1, world.now);
    for (let fetch = 0; fetch < 3; fetch++) await poll(other);
    expect(await isTaken()).toBe(false);
  });

  it('and when both have cancelled', async () => {
    for (let fetch = 0; fetch < 2; fetch++) await poll(merging);
    merging.cancel(1, world.now);
    other.cancel(1, world.now);
    for (let round = 0; round < 3; round++) {
      for (const platform of [other, merging, other, merging]) await poll(platform);
      for (const platform of world.platforms) await world.give(platform);
    }
    expect(await isTaken()).toBe(false);
  });
});
