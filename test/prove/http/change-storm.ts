import { inLanes } from '../../../shared/platform/in-lanes.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import type { Credentials } from './client.ts';
import { at, type Attempt, confirmOf, type Report, storm, withCalendar } from './storms.ts';
import { entriesOf, externalStay, type Home, type World } from './world.ts';

/** So many changes are sent before the first booking. */
const headStart = 8;

interface Stay {
  id: number;
  home: Home;
  date: string;
}

/** Books stays of one night in the rooms of the house, as the partner, from a date on. */
const bookStays = async (world: World, first: string, count: number): Promise<Stay[]> => {
  const { call, partner, children } = world;
  const wanted = Array.from({ length: count }, (_, position) => ({
    home: at(children, position),
    date: addDays(first, Math.floor(position / children.length)),
  }));
  return inLanes(wanted, async ({ home, date }) => {
    const body = externalStay(home, date);
    const reply = await call(partner, { path: '/api/v1/external/bookings', body });
    if (reply.status !== 201) throw new Error(`a stay to be changed: ${reply.status} ${reply.text}`);
    return { id: Number(reply.json['id']), home, date };
  });
};

/** Returns what is wrong with a stay: it is where the answer to its change says, and nowhere else. */
const stayProblems = async (
  world: World,
  { id, home, date }: Stay,
  asked: { target: Home | undefined; date: string },
): Promise<string[]> => {
  const { json } = await world.call(world.host, { method: 'GET', path: `/api/v1/bookings/${id}` });
  const entries = await entriesOf(world, home, date);
  const isAt = (listing: number, from: string) =>
    json['state'] === 'CONFIRMED' && Number(json['listing_id']) === listing && json['check_in_date'] === from;
  const isMoved = asked.target !== undefined && isAt(asked.target.id, asked.date);
  const isThere = isAt(home.id, date);
  return [
    ...(isMoved !== isThere ? [] : [`the stay ${id} is neither as it was nor as asked`]),
    ...(entries.length === (isThere ? 1 : 0) ? [] : [`${entries.length} entries where the stay ${id} was`]),
  ];
};

/**
 * Stays of other nights are moved to a night of a house or one of its rooms, by hosts and their partner, while guests book
 * that night: either the house is taken, or each room once, and a refused change leaves the stay as it was.
 */
export const changesAgainstBookings = async (world: World, date: string, count = 200): Promise<Report> => {
  const family = [world.parent, ...world.children];
  const stays = await bookStays(world, addDays(date, 2), count / 2);
  const changeOf = (stay: Stay, position: number): Attempt => {
    const target = at(family, position);
    const [who, path]: [Credentials, string] =
      position % 4 < 2
        ? [world.host, `/api/v1/bookings/${stay.id}/change`]
        : [world.partner, `/api/v1/external/bookings/${stay.id}/change`];
    const body = { check_in_date: date, check_out_date: addDays(date, 1), listing_id: target.id };
    return { who, request: { path, body }, wants: [target] };
  };
  const changes = stays.map(changeOf);
  const bookings = stays.map((_, position): Attempt => {
    const home = at(family, position + 1);
    return { who: at(world.guests, position), request: confirmOf([home], date), wants: [home] };
  });
  // A change reads more than a booking, so that bookings of the same moment would always win.
  const ahead = changes.slice(0, headStart);
  const later = changes.slice(headStart).flatMap((change, at) => [change, ...bookings.slice(at, at + 1)]);
  const last = bookings.slice(changes.length - headStart);
  const report = await storm(world, 'changes against bookings', [...ahead, ...later, ...last]);
  const isHouse = report.won === 1;
  const expected = isHouse || report.won === world.children.length ? [] : [`${report.won} won`];
  const left = await Promise.all(
    stays.map((stay, position) => stayProblems(world, stay, { target: changes[position]?.wants[0], date })),
  );
  const checked = { ...report, problems: [...report.problems, ...expected, ...left.flat()] };
  return withCalendar(world, checked, date, family, (home) =>
    isHouse || home.parent_listing_id !== null ? 1 : world.children.length,
  );
};
