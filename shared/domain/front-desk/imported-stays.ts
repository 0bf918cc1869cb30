import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { PageOf } from '../../platform/schema/schema.ts';
import { dateOf, today } from '../../platform/time/time.ts';
import { requireWithinCalendar } from '../calendar/index.ts';
import { arrivingStays, leavingStays, pageArrivingStays } from '../calendar/model.ts';
import type { ImportedStay, ImportedStaysQuery } from './imported-stay.schema.ts';

type Imported = Awaited<ReturnType<typeof arrivingStays>>[number];

const present = ({ imported: { timezone, label, summary }, ...entry }: Imported): ImportedStay => ({
  ...{ availability_id: entry.availability_id, listing_id: entry.listing_id, feed_id: entry.feed_id ?? 0 },
  ...{ label, summary, check_in_date: dateOf(entry.start_at), check_out_date: dateOf(entry.end_at) },
  ...{ start_at: entry.start_at, end_at: entry.end_at, timezone },
});

/** Returns the stays of the acting team that followed calendars have brought, by their arrival (D120). */
export const listImportedStays = async (
  ctx: Context,
  { from, to, ...paging }: ImportedStaysQuery,
): Promise<PageOf<ImportedStay>> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  requireWithinCalendar({ from, to });
  if (to < from) throw invalid({ path: 'to', message: 'must not be before from' });
  const page = await pageArrivingStays(ctx.table, teamId, { from, to }, paging);
  return { ...page, items: page.items.map(present) };
};

/** Returns those of a team that arrive or leave today, by the time zone of each listing. */
export const importedToday = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  teamId: number,
  { first, last }: { first: string; last: string },
): Promise<{ arrivals: ImportedStay[]; departures: ImportedStay[] }> => {
  const [arriving, leaving] = await Promise.all([
    arrivingStays(table, teamId, first, last),
    leavingStays(table, teamId, first, last),
  ]);
  const now = clock.now();
  const on = (stays: Imported[], date: 'check_in_date' | 'check_out_date'): ImportedStay[] =>
    stays.map(present).filter((stay) => stay[date] === today(now, stay.timezone));
  return { arrivals: on(arriving, 'check_in_date'), departures: on(leaving, 'check_out_date') };
};
