import { instantText } from '../../platform/time/clock.ts';
import { changedSince } from '../../platform/lists/index.ts';
import { addDays, atTime, hourMs } from '../../platform/time/time.ts';
import { ReservationEntity, teamStays } from '../booking/model.ts';
import type { FeedEntry } from '../webhook/model.ts';
import type { AuditReading, AuditWindow } from './audit-reading.store.ts';
import type { AuditScope } from './audit-round.entity.ts';

/** Longer than hosts have to accept, guests to pay online and stays wait to be completed: 24 hours each. */
const secondLookMs = 26 * hourMs;

/**
 * Returns what has moved in a team: the orders of the bookings that were last changed in the window, or a day before it,
 * and what the events of the window are about. The index may lag; the feed does not.
 */
export const movedScopes = async (reading: AuditReading, teamId: number): Promise<AuditScope[]> => {
  const { window } = reading;
  const earlier = { from: window.from - secondLookMs, to: window.to - secondLookMs };
  const [pages, ...orders] = await Promise.all([
    reading.pagesOf(teamId),
    changedOrders(reading, teamId, window),
    changedOrders(reading, teamId, earlier),
  ]);
  const entries = pages.flatMap((page) => page.entries).filter(isBefore(window.to));
  return distinctScopes([
    ...orders.flat().map((orderId): AuditScope => ({ kind: 'order', order_id: orderId })),
    ...entries.flatMap(scopesOfEvent),
    ...(entries.length > 0 ? [{ kind: 'feed' as const, team_id: teamId }] : []),
  ]);
};

/** Returns each scope once: many events may be about the same. */
export const distinctScopes = (scopes: readonly AuditScope[]): AuditScope[] => [
  ...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values(),
];

const isBefore =
  (instant: number) =>
  ({ occurred_at }: FeedEntry): boolean =>
    occurred_at < instantText(instant);

/** Returns the orders of the bookings whose last change is in a window. */
const changedOrders = async (
  { table }: AuditReading,
  teamId: number,
  { from, to }: AuditWindow,
): Promise<number[]> => {
  const ids: number[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query(ReservationEntity, {
      index: 'by_team',
      pk: teamStays(teamId),
      from: changedSince(from),
      to: changedSince(to),
      after,
    });
    ids.push(...found.items.map(({ order_id }) => order_id));
    after = found.next;
  } while (after);
  return ids;
};

const scopesOfEvent = ({ event_type, occurred_at, data }: FeedEntry): AuditScope[] => {
  const { id, master_reservation_id, listing_id, start_at, end_at, changed } = data;
  if (typeof master_reservation_id === 'number') return [{ kind: 'order', order_id: master_reservation_id }];
  if (event_type === 'review.created' && typeof listing_id === 'number')
    return [{ kind: 'reviews', listing_id }];
  if (event_type === 'availability.changed' && typeof start_at === 'string' && typeof end_at === 'string')
    return [{ kind: 'time', listing_id: id, start_at, end_at }];
  // Its stays and blocks have moved to another calendar.
  if (Array.isArray(changed) && changed.includes('parent_listing_id'))
    return [{ kind: 'time', listing_id: id, ...yearsFrom(occurred_at) }];
  return [];
};

/** Stays and blocks lie in the next two years, with few exceptions. */
const yearsFrom = (occurredAt: string): { start_at: string; end_at: string } => {
  const date = occurredAt.slice(0, 10);
  return { start_at: atTime(date, '00:00:00'), end_at: atTime(addDays(date, 731), '00:00:00') };
};
