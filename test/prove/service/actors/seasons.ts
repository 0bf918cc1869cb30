import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Home } from '../town.ts';
import type { Actor } from './actor.ts';

type Deed = (host: Actor, home: Home) => Promise<unknown>;

interface Bulk {
  undo_id: number | null;
}

/** Stay rules: none, for every date, or for some dates; they replace the ones before. */
const setRules: Deed = async (host, { id }) => {
  const { sim } = host.town;
  const path = `/listings/${id}/stay-rules`;
  const week = host.town.week();
  const date_from = sim.pick(week);
  const dates = { date_from, date_to: sim.pick([date_from, addDays(date_from, 2)]) };
  const weekdays = sim.chance(0.3) ? { weekdays: [0, 5, 6] } : {};
  const day = (): object =>
    sim.pick([
      { min_nights: 2 },
      { max_nights: 1 },
      { closed_to_arrival: true },
      { closed_to_departure: true },
      { closed: true },
    ]);
  const rule = { ...dates, ...weekdays, ...day() };
  const ahead = Math.round((Date.parse(week[3]!) - Date.parse(host.town.today())) / 86_400_000);
  const rules = sim.pick([
    {},
    {},
    { default: { min_nights: 2 } },
    { default: { min_nights: 2 }, date_rules: [{ ...dates, min_nights: 1 }] },
    { date_rules: [rule] },
    { date_rules: [rule, { ...dates, ...day() }] },
    { booking_window_days: ahead },
    { min_notice_hours: 24 * ahead },
  ]);
  if (sim.chance(0.3)) await host.get('readStayRules', path);
  await host.put('putStayRules', path, rules);
  // Of a restriction for a while.
  if (sim.chance(0.4)) return;
  await host.town.pause(15);
  await host.put('putStayRules', path, {});
};

/** Some homes of the team, and some days. */
const manyOf = (host: Actor): { listing_ids: number[]; date_ranges: object[] } => {
  const { sim, homes } = host.town;
  const own = homes.filter(({ team }) => team === host.who);
  const some = own.filter(() => sim.chance(0.5));
  const week = host.town.week();
  const date_from = sim.pick(week);
  const ranges = sim.pick([
    [{ date_from, date_to: addDays(date_from, sim.whole(2)) }],
    [{ date_from: week[0], date_to: week[5], weekdays: [sim.whole(7), sim.whole(7)].slice(0, 1) }],
  ]);
  return { listing_ids: (some.length > 0 ? some : own.slice(0, 1)).map(({ id }) => id), date_ranges: ranges };
};

/** Mostly looks at what it would do first; half of them are undone, some twice. */
const inBulk = async (host: Actor, verb: string, path: string, change: object): Promise<void> => {
  const { sim, problems } = host.town;
  const body = { ...manyOf(host), change };
  if (sim.chance(0.5)) {
    const dry = await host.post(verb, path, { ...body, dry_run: true });
    if (dry?.status === 200 && (dry.json as Bulk).undo_id !== null)
      problems.push(`${verb} without effect can be undone: ${dry.text}`);
    if (sim.chance(0.3)) return;
  }
  const reply = await host.post(verb, path, body);
  const undo_id = reply?.status === 200 ? (reply.json as Bulk).undo_id : null;
  if (undo_id === null || sim.chance(0.4)) return;
  await host.town.pause(20);
  const undo = () => host.post('undoBulk', '/listings/bulk-undo', { undo_id });
  await Promise.all(sim.chance(0.2) ? [undo(), undo()] : [undo()]);
};

const blockMany: Deed = (host) =>
  inBulk(
    host,
    'bulkBlocks',
    '/listings/bulk-blocks',
    host.town.sim.chance(0.6) ? { state: 'BLOCKED', note: 'Renovation' } : { state: 'AVAILABLE' },
  );

const priceMany: Deed = (host) => {
  const { sim } = host.town;
  const change = sim.pick([
    { price: 700_000 + 50_000 * sim.whole(10) },
    { percent: sim.pick([-10, 10, 50]) },
  ]);
  return inBulk(host, 'bulkPrices', '/listings/bulk-prices', change);
};

const readChanges: Deed = (host, { id }) =>
  host.get('listListingChanges', `/listings/${id}/changes`, { limit: 20 });

const readCalendar: Deed = (host) => {
  const week = host.town.week();
  return host.get('readTeamCalendar', '/calendar/team', { from: week[0]!, to: week[5]! });
};

/** What hosts do for a season, each with its weight. */
export const seasonDeeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [12, setRules],
  [12, blockMany],
  [8, priceMany],
  [3, readChanges],
  [3, readCalendar],
  [3, (host) => host.get('readToday', '/today')],
];
