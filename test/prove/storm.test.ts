import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consequencesOfABooking } from './http/consequences.ts';
import { type Folders, newFolders, type Service, startService } from './http/service.ts';
import {
  confirmOf,
  crosswiseGroups,
  mixedVerbs,
  oneKey,
  oneNight,
  parentAgainstChild,
} from './http/storms.ts';
import { enter, externalStay, type World } from './http/world.ts';

describe('a storm over HTTP', () => {
  let folders: Folders;
  let service: Service;
  let world: World;
  beforeAll(async () => {
    folders = newFolders();
    service = await startService({ folders });
    world = await enter(service.ready, 10);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    folders.remove();
  }, 30_000);

  it('of 200 confirms of one night has one winner', async () => {
    const report = await oneNight(world, world.date(30));
    console.log(report);
    expect(report.problems).toEqual([]);
  });

  it('of 20 posts with one Idempotency-Key makes one booking', async () => {
    const [first, second] = world.lone;
    const confirm = await oneKey(
      world,
      'confirm',
      { who: world.guest, request: confirmOf([first!], world.date(31)), wants: [first!] },
      world.date(31),
    );
    const external = await oneKey(
      world,
      'external booking',
      {
        who: world.partner,
        request: { path: '/api/v1/external/bookings', body: externalStay(second!, world.date(31)) },
        wants: [second!],
      },
      world.date(31),
    );
    expect([...confirm.problems, ...external.problems]).toEqual([]);
  });

  it('of bookings of a parent and its children has the right winners', async () => {
    const report = await parentAgainstChild(world, world.date(32));
    console.log(report);
    expect(report.problems).toEqual([]);
  });

  it('of crosswise groups of three has one winner, whole', async () => {
    const report = await crosswiseGroups(world, world.date(33));
    console.log(report);
    expect(report.problems).toEqual([]);
  });

  it('of checkouts, confirms, external bookings and blocks has one winner', async () => {
    const report = await mixedVerbs(world, world.date(34));
    console.log(report);
    expect(report.problems).toEqual([]);
  });

  it('tells guest, host, chat and calendar of a booking within 3 seconds', async () => {
    const seen = await consequencesOfABooking(world, world.date(35));
    console.log(seen);
    expect(Math.max(...Object.values(seen as unknown as Record<string, number>))).toBeLessThan(3000);
  });
});
