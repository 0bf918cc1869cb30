import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneKeyEach } from './http/all-storms.ts';
import { changesAgainstBookings } from './http/change-storm.ts';
import { consequencesOfABooking } from './http/consequences.ts';
import { killStorm } from './http/kill-storm.ts';
import { type Folders, newFolders, type Service, startService } from './http/service.ts';
import { crosswiseGroups, mixedVerbs, oneNight, parentAgainstChild } from './http/storms.ts';
import { enter, type World } from './http/world.ts';

describe('a storm over HTTP', { timeout: 60_000 }, () => {
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
    expect((await oneNight(world, world.date(30))).problems).toEqual([]);
  });

  it('of 20 posts with one Idempotency-Key makes one booking', async () => {
    const reports = await oneKeyEach(world, world.date(32));
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('of bookings of a parent and its children has the right winners', async () => {
    expect((await parentAgainstChild(world, world.date(34))).problems).toEqual([]);
  });

  it('of crosswise groups of three has one winner, whole', async () => {
    expect((await crosswiseGroups(world, world.date(36))).problems).toEqual([]);
  });

  it('of checkouts, confirms, external bookings and blocks has one winner', async () => {
    expect((await mixedVerbs(world, world.date(38))).problems).toEqual([]);
  });

  it('of changes against bookings of one night leaves each stay where it was, or where it was asked to be', async () => {
    const { problems, won } = await changesAgainstBookings(world, world.date(100));
    expect(problems).toEqual([]);
    expect(won).toBeGreaterThan(0);
  });

  it('a booking reaches guest, host, chat and calendar within 3 seconds', async () => {
    // The limit is generous because the suite shares the machine.
    const seen = await consequencesOfABooking(world, world.date(60), 10_000);
    expect(Object.values(seen)).toHaveLength(4);
  });
});

it(
  'kill -9 of service and table in a storm of bookings loses nothing that was acknowledged',
  { timeout: 120_000 },
  async () => {
    const report = await killStorm(2027);
    expect(report.problems).toEqual([]);
    expect(report.acknowledged).toBeGreaterThanOrEqual(60);
  },
);
