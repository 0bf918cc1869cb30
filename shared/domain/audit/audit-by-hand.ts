import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { findOrder } from '../booking/model.ts';
import { calendarOf, overlappingEntries } from '../calendar/model.ts';
import { readListing } from '../listing/model.ts';
import { readTeamsAfter } from '../people/model.ts';
import { AuditReading } from './audit-reading.store.ts';
import type { Violation } from './audit-rule.rules.ts';
import type { AuditScope } from './audit-round.entity.ts';
import { longestRoundMs, settleMs } from './audit-round.store.ts';
import { auditScopes } from './audit-scopes.ts';
import { distinctScopes, movedScopes } from './moved-scopes.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** What an audit has found. */
interface Audited {
  orders: number;
  findings: Violation[];
}

const scopesAtOnce = 50;

const auditAll = async (
  deps: Deps,
  reading: AuditReading,
  scopes: readonly AuditScope[],
): Promise<Audited> => {
  const distinct = distinctScopes(scopes);
  const findings: Violation[] = [];
  for (let at = 0; at < distinct.length; at += scopesAtOnce) {
    const found = await auditScopes(deps, reading, distinct.slice(at, at + scopesAtOnce));
    findings.push(...found.map(({ rule, where }) => ({ rule, where })));
  }
  return { orders: distinct.filter(({ kind }) => kind === 'order').length, findings };
};

/** Returns a strongly consistent reading; events since `from`, by default of the last day, have to be in the feed. */
const readingOf = (deps: Deps, from = deps.clock.now() - longestRoundMs): AuditReading =>
  new AuditReading(
    deps,
    { from, to: deps.clock.now() - settleMs },
    { consistent: true, maxReviews: Number.POSITIVE_INFINITY },
  );

/** Audits a booking by its own or its master's id, with the calendars of its stays. Throws NOT_FOUND. */
export const auditBooking = async (deps: Deps, bookingId: number): Promise<Audited> => {
  const orderId = orderIdOf(bookingId);
  const { order, payment, separatePayments } = await findOrder(deps.table, orderId);
  if (!order && !payment && separatePayments.length === 0)
    throw new ServiceError('NOT_FOUND', `There is no booking ${bookingId}.`);
  return auditAll(deps, readingOf(deps), [{ kind: 'order', order_id: orderId }]);
};

const wholeCalendar = { start_at: '2000-01-01T00:00:00', end_at: '2199-12-31T00:00:00' };

/**
 * Audits the whole calendar of a listing, its family's included, with every booking in it and the listing's reviews.
 * Throws LISTING_NOT_FOUND.
 */
export const auditListing = async (deps: Deps, listingId: number): Promise<Audited> => {
  const listing = await readListing(deps.table, listingId);
  if (!listing) throw new ServiceError('LISTING_NOT_FOUND');
  const entries = await overlappingEntries(deps.table, calendarOf(listing), wholeCalendar);
  const orders = entries.flatMap(({ state, order_id }) =>
    state === 'BOOKED' && order_id !== null ? [{ kind: 'order' as const, order_id }] : [],
  );
  return auditAll(deps, readingOf(deps), [
    { kind: 'time', listing_id: listingId, ...wholeCalendar },
    { kind: 'reviews', listing_id: listingId },
    ...orders,
  ]);
};

const teamsAtOnce = 100;

/**
 * Audits everything that has moved since an instant (epoch milliseconds) and half an hour ago or earlier, as the schedule does.
 * Changes nothing.
 */
export const auditSince = async (deps: Deps, from: number): Promise<Audited> => {
  const audited: Audited = { orders: 0, findings: [] };
  if (from >= deps.clock.now() - settleMs) return audited;
  for (let last: number | undefined = 0; last !== undefined;) {
    const teams: number[] = (await readTeamsAfter(deps.table, last, teamsAtOnce)).map(
      ({ team_id }) => team_id,
    );
    const reading = readingOf(deps, from);
    for (const team of teams) {
      const { orders, findings } = await auditAll(deps, reading, await movedScopes(reading, team));
      audited.orders += orders;
      audited.findings.push(...findings);
    }
    last = teams.at(-1);
  }
  return audited;
};
