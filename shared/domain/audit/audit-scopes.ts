import { setTimeout as timer } from 'node:timers/promises';
import type { Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { publicEventTypes } from '../../events.ts';
import { changeOrdersOf, dueMove, findOrderWithEvents } from '../booking/model.ts';
import { readListing, ReviewEntity, reviewsPartition } from '../listing/model.ts';
import { violationsOf } from './audit-rule.rules.ts';
import { auditCalendars } from './audit-calendars.ts';
import type { AuditReading } from './audit-reading.store.ts';
import type { AuditScope, Finding } from './audit-round.entity.ts';
import { findingText } from './audit-round.store.ts';
import { type AuditedDues, dueRules, isListed, unfinishedPayments } from './due-audit.rules.ts';
import { feedRules } from './feed-audit.rules.ts';
import { type AuditedOrder, orderRules } from './order-audit.rules.ts';
import { paymentRules } from './payment-audit.rules.ts';
import { reviewRules } from './review-audit.rules.ts';

type Clocked = Pick<Dependencies, 'clock'>;

/** A transaction shows in parts only while it commits. */
const commitMs = 500;

/**
 * Audits scopes and returns what is wrong. What a first reading finds is read again with strong consistency, twice, since
 * the first may be old and each may see a part of a transaction; a finding is in both.
 */
export const auditScopes = async (
  ctx: Clocked,
  reading: AuditReading,
  scopes: readonly AuditScope[],
): Promise<Finding[]> => {
  const first = await auditOnce(ctx, reading, scopes);
  if (first.length === 0) return [];
  const second = await auditOnce(ctx, reading.again(), scopesOf(first));
  if (second.length === 0) return [];
  const { pause = timer } = ctx.clock;
  await pause(commitMs);
  const third = await auditOnce(ctx, reading.again(), scopesOf(second));
  const known = new Set(second.map(findingText));
  return third.filter((finding) => known.has(findingText(finding)));
};

const scopesOf = (findings: readonly Finding[]): AuditScope[] => [
  ...new Map(findings.map(({ scope }) => [JSON.stringify(scope), scope])).values(),
];

const auditOnce = async (
  ctx: Clocked,
  reading: AuditReading,
  scopes: readonly AuditScope[],
): Promise<Finding[]> => {
  const ids = scopes.flatMap((scope) => (scope.kind === 'order' ? scope.order_id : []));
  const orders = await inLanes(ids, (orderId) => readOrder(ctx, reading, orderId));
  const records = orders.flatMap((order) => [order, ...order.change_orders]);
  const times = scopes.filter((scope) => scope.kind === 'time');
  const calendars = scopes.filter((scope) => scope.kind === 'calendar');
  const reviews = scopes.filter((scope) => scope.kind === 'reviews');
  const teams = scopes.flatMap((scope) => (scope.kind === 'feed' ? scope.team_id : []));
  const parts = [
    records.flatMap(auditRecords),
    (await inLanes(records, (order) => auditDues(reading, order))).flat(),
    await auditFeeds(reading, teams, orders),
    await auditCalendars(ctx, reading, { orders, times, calendars }),
    (await inLanes(reviews, ({ listing_id }) => auditReviews(reading, listing_id))).flat(),
  ];
  return [...new Map(parts.flat().map((finding) => [findingText(finding), finding])).values()];
};

const readOrder = async (
  { clock }: Clocked,
  { table, consistent }: AuditReading,
  orderId: number,
): Promise<AuditedOrder> => {
  const read = async (id: number): Promise<AuditedOrder> => ({
    ...(await findOrderWithEvents(table, id, { consistent })),
    order_id: id,
    change_orders: [],
    now: clock.now(),
  });
  const order = await read(orderId);
  const changes = [...new Set(order.reservations.flatMap(changeOrdersOf))];
  const further = await inLanes(changes, async (id) => ({ ...(await read(id)), changed: order }));
  return { ...order, change_orders: further };
};

/** The order of a change is found again by the order of its stay. */
const scopeOf = ({ order_id, changed }: AuditedOrder): AuditScope => ({
  kind: 'order',
  order_id: changed?.order?.order_id ?? order_id,
});

const auditRecords = (order: AuditedOrder): Finding[] =>
  [...violationsOf(orderRules, order), ...violationsOf(paymentRules, order)].map((violation) => ({
    ...violation,
    scope: scopeOf(order),
  }));

const auditDues = async (reading: AuditReading, audited: AuditedOrder): Promise<Finding[]> => {
  const stays = audited.reservations
    .filter((stay) => isListed(stay, audited.now))
    .flatMap((stay) => dueMove(stay) ?? []);
  const payments = unfinishedPayments(audited).map(({ payment_id }) => payment_id);
  const dues: AuditedDues = {
    audited,
    dueBookings: new Set(
      (await listed(stays, (due) => reading.isBookingDue(due))).map(({ reservation_id }) => reservation_id),
    ),
    duePayments: new Set(await listed(payments, (id) => reading.isPaymentDue(id))),
  };
  return violationsOf(dueRules, dues).map((violation) => ({ ...violation, scope: scopeOf(audited) }));
};

const listed = async <Due>(dues: readonly Due[], isIn: (due: Due) => Promise<boolean>): Promise<Due[]> => {
  const found: Due[] = [];
  for (const due of dues) if (await isIn(due)) found.push(due);
  return found;
};

const publicTypes: ReadonlySet<string> = new Set(publicEventTypes);

/** Audits the feeds of some teams, and that they have the events of the orders that partners see. */
const auditFeeds = async (
  reading: AuditReading,
  teams: readonly number[],
  orders: readonly AuditedOrder[],
): Promise<Finding[]> => {
  const expected = orders.flatMap(({ order_id, events }) =>
    events
      .filter(
        ({ event_type, occurred_at }) =>
          publicTypes.has(event_type) && reading.isInFeed(Date.parse(occurred_at)),
      )
      .flatMap(({ id, event_type, team_id, occurred_at }) =>
        team_id === null ? [] : { id, event_type, team_id, order_id, occurred_at },
      ),
  );
  const byTeam = Map.groupBy(expected, ({ team_id }) => team_id);
  const found = await inLanes([...new Set([...teams, ...byTeam.keys()])], async (teamId) => {
    const pages = await reading.pagesOf(teamId);
    const keptFrom = (await reading.keptFrom(teamId)) ?? '';
    // Again, after the pages were read: some may have expired meanwhile.
    const inFeed = (byTeam.get(teamId) ?? []).filter(
      ({ id, occurred_at }) => id >= keptFrom && reading.isInFeed(Date.parse(occurred_at)),
    );
    return violationsOf(feedRules, { team_id: teamId, pages, expected: inFeed }).map(
      ({ rule, where }): Finding => {
        const { order_id } = where;
        const scope: AuditScope =
          typeof order_id === 'number' ? { kind: 'order', order_id } : { kind: 'feed', team_id: teamId };
        return { rule, where, scope };
      },
    );
  });
  return found.flat();
};

const auditReviews = async ({ table, maxReviews }: AuditReading, listingId: number): Promise<Finding[]> => {
  const listing = await readListing(table, listingId);
  if (!listing || listing.review_count > maxReviews) return [];
  const pk = reviewsPartition(listingId);
  const reviews = await table.queryAll(ReviewEntity, { index: 'by_audience', pk });
  return violationsOf(reviewRules, { listing, reviews }).map((violation) => ({
    ...violation,
    scope: { kind: 'reviews', listing_id: listingId },
  }));
};
