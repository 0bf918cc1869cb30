import { changesAgainstBookings } from './change-storm.ts';
import { consequencesOfABooking } from './consequences.ts';
import { killStorm } from './kill-storm.ts';
import { newFolders, startService } from './service.ts';
import { crosswiseGroups, mixedVerbs, oneKey, oneNight, confirmOf, parentAgainstChild } from './storms.ts';
import { enter, externalStay, type World } from './world.ts';

interface Report {
  storm: string;
  problems: string[];
}

/** Runs every storm: against one service, and against one that is killed. */
export const stormsOverHttp = async (seed: number): Promise<Report[]> => {
  const folders = newFolders();
  try {
    const service = await startService({ folders });
    try {
      const world = await enter(service.ready, 10);
      return [...(await stormsOf(world)), await killStorm(seed)];
    } finally {
      await service.stop();
    }
  } finally {
    folders.remove();
  }
};

const stormsOf = async (world: World): Promise<Report[]> => [
  // The first storm meets a process whose code is not compiled yet.
  { ...(await oneNight(world, world.date(28), 40)), storm: 'one night, of a service just started' },
  await oneNight(world, world.date(30)),
  ...(await oneKeyEach(world, world.date(32))),
  await parentAgainstChild(world, world.date(34)),
  await crosswiseGroups(world, world.date(36)),
  await mixedVerbs(world, world.date(38)),
  await changesAgainstBookings(world, world.date(100)),
  await consequences(world, world.date(60)),
];

/** Sends twenty confirms with one key, and twenty external bookings with one. */
export const oneKeyEach = async (world: World, date: string): Promise<Report[]> => {
  const [first, second] = world.lone;
  if (!first || !second) throw new Error('the demo has too few homes');
  const confirm = { who: world.guest, request: confirmOf([first], date), wants: [first] };
  const request = { path: '/api/v1/external/bookings', body: externalStay(second, date) };
  return [
    await oneKey(world, 'one key, confirm', confirm, date),
    await oneKey(world, 'one key, external booking', { who: world.partner, request, wants: [second] }, date),
  ];
};

const consequences = async (world: World, date: string): Promise<Report> => {
  const storm = 'mail, chat and calendar of a booking';
  return consequencesOfABooking(world, date).then(
    (seen) => ({ storm, ...seen, problems: [] }),
    (error: unknown) => ({ storm, problems: [String(error)] }),
  );
};
