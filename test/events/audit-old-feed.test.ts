import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditReading } from '../../shared/domain/audit/audit-reading.store.ts';
import { AuditRoundEntity } from '../../shared/domain/audit/audit-round.entity.ts';
import { readRound } from '../../shared/domain/audit/audit-round.store.ts';
import { auditScopes } from '../../shared/domain/audit/audit-scopes.ts';
import { auditBookings } from '../../shared/domain/audit/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { type EventPage, EventPageEntity, isExpired } from '../../shared/domain/webhook/event-page.entity.ts';
import { readPagesSince } from '../../shared/domain/webhook/event-pages.store.ts';
import { remove, type Table } from '../../shared/platform/table/index.ts';
import { bookAudited, publishEvents, rawItems } from '../support/audit-scene.ts';
import { hour, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

const day = 24 * hour;
const bookings = 9;

let s: PaymentScene;
let teamId: number;
let orders: number[];

beforeEach(async () => {
  s = await paymentScene();
  await s.deps.table.transact([remove(AuditRoundEntity, { name: 'bookings' })]);
  orders = await bookAudited(s, bookings, async () => {
    const listing = await s.listing();
    teamId = listing.team_id;
    return listing;
  });
});

type Which = (page: EventPage, at: number) => boolean;

/** Time passes, and some of the pages that have expired are deleted, as TTL does. Returns their number. */
const deleteExpired = async (which: Which, days: number): Promise<number> => {
  s.clock.advance(days * day);
  const pages = await readPagesSince(s.deps.table, teamId, 0, { consistent: true });
  const expired = pages.filter((page) => isExpired(page, s.clock.now())).filter(which);
  const items = await rawItems();
  for (const page of expired) await items.plant(EventPageEntity.key(page), () => undefined);
  return expired.length;
};
const expire = async (which: Which): Promise<void> => {
  expect(await deleteExpired(which, 32)).toBeGreaterThan(0);
};

/** The table; something happens before its first read of a page of the feed. */
const beforePages = (happen: () => Promise<void>): Table => {
  let happened: Promise<void> | undefined;
  return new Proxy(s.deps.table, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (entity: { name: string }, options: never) => {
        if (entity.name === EventPageEntity.name) await (happened ??= happen());
        return target.query(entity as never, options);
      };
    },
  });
};

const isOfFeed = ({ rule }: { rule: string }) => rule === 'event-not-in-feed' || rule === 'feed-pages';

describe.each<[string, Which]>([
  ['all of them', () => true],
  ['every second one', (_, at) => at % 2 === 0],
])('where TTL has deleted pages of the feed, %s,', (_, which) => {
  it('a round that is continued 32 days later rings nothing', async () => {
    const crash = beforePages(() => Promise.reject(new Error('the process died')));
    await expect(auditBookings({ ...s.deps, table: crash })).rejects.toThrow('the process died');
    const claimed = await readRound(s.deps.table);
    await expire(which);
    const error = vi.spyOn(s.deps.log, 'error');
    await auditBookings(s.deps);
    expect(await readRound(s.deps.table)).toMatchObject({ to: claimed!.to, finished_at: s.clock.now() });
    expect((await readRound(s.deps.table))?.orders).toBeGreaterThanOrEqual(bookings);
    // That the stays of the past are not completed is another matter.
    const rung = error.mock.calls.map(([, figures]) => figures as unknown as { rule: string });
    expect(rung.filter(isOfFeed)).toEqual([]);
  });

  it('rounds after the test clock was set back and on again ring nothing', async () => {
    s.clock.advance(-12 * day);
    const later = [];
    for (let at = 0; at < bookings; at++) {
      const items = s.items(await s.listing({ team_id: teamId }));
      later.push((await confirmCheckout(s.guest, { items, payment_method: 'CASH' })).master_reservation_id);
    }
    await publishEvents(
      s.deps,
      later.map((id) => `ORDER#${id}`),
    );
    const scopes = [...orders, ...later].map((order_id) => ({ kind: 'order', order_id }) as const);
    const rung = async () => {
      const window = { from: s.clock.now() - 60 * day, to: s.clock.now() - hour };
      const reading = new AuditReading(s.deps, window, { consistent: true });
      const found = await auditScopes(s.deps, reading, [...scopes, { kind: 'feed', team_id: teamId }]);
      return found.filter(isOfFeed);
    };
    // The pages of the time before are kept for 30 days after their events, and so are those behind them.
    expect(await deleteExpired(which, 32)).toBe(0);
    expect(await rung()).toEqual([]);
    expect(await deleteExpired(which, 12)).toBeGreaterThan(0);
    expect(await rung()).toEqual([]);
  });

  it('a run that was reading at that time rings nothing', async () => {
    const window = { from: s.clock.now() - hour, to: s.clock.now() };
    const table = beforePages(() => expire(which));
    const reading = new AuditReading({ ...s.deps, table }, window, { consistent: true });
    const scopes = orders.map((order_id) => ({ kind: 'order', order_id }) as const);
    const found = await auditScopes(s.deps, reading, [...scopes, { kind: 'feed', team_id: teamId }]);
    expect(found.filter(isOfFeed)).toEqual([]);
  });
});

it('pages that were deleted while the test clock was ahead ring nothing; an event that is missing behind them does', async () => {
  const items = await rawItems();
  const pages = await readPagesSince(s.deps.table, teamId, 0, { consistent: true });
  const [first, second, third] = pages;
  for (const page of [first!, second!]) await items.plant(EventPageEntity.key(page), () => undefined);
  const scopes = orders.map((order_id) => ({ kind: 'order', order_id }) as const);
  const found = async () => {
    const window = { from: s.clock.now() - hour, to: s.clock.now() };
    const reading = new AuditReading(s.deps, window, { consistent: true });
    const all = await auditScopes(s.deps, reading, [...scopes, { kind: 'feed', team_id: teamId }]);
    return all.filter(isOfFeed).map(({ rule, where }) => [rule, where['event_id']]);
  };
  expect(await found()).toEqual([]);
  const [kept, lost] = third!.entries;
  await items.plant(EventPageEntity.key(third!), (page) => ({ ...page, entries: [kept], count: 1 }));
  expect(await found()).toEqual([['event-not-in-feed', lost!.id]]);
});
