import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditBooking, auditListing, auditSince } from '../../shared/domain/audit/index.ts';
import type { Posting } from '../../shared/domain/folio/model.ts';
import { auditRules } from '../../shared/domain/audit/model.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarMonthEntity,
} from '../../shared/domain/calendar/calendar.store.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import {
  duePayments,
  PaymentEntity,
  PaymentRefundEntity,
} from '../../shared/domain/payment/payment.entity.ts';
import { EventPageEntity } from '../../shared/domain/webhook/event-page.entity.ts';
import { readPagesSince } from '../../shared/domain/webhook/event-pages.store.ts';
import { EventEntity } from '../../shared/platform/events/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { type AuditScene, auditScene, rawItems } from '../support/audit-scene.ts';
import { waitingIn } from '../support/due.ts';
import { hour } from '../support/payment-scene.ts';

let s: AuditScene;
let items: Awaited<ReturnType<typeof rawItems>>;
beforeAll(async () => {
  s = await auditScene();
  items = await rawItems();
}, 60_000);
afterEach(() => items.undo());

const since = () => auditSince(s.deps, s.clock.now() - 80 * hour);

describe('a busy correct history', () => {
  it('has no findings, whatever is audited', async () => {
    expect(await since()).toEqual({ orders: s.orders.size, findings: [] });
    for (const order of s.orders) expect((await auditBooking(s.deps, order)).findings).toEqual([]);
    for (const { id } of [s.home, s.long, s.parent, ...s.children])
      expect((await auditListing(s.deps, id)).findings).toEqual([]);
  });

  it.each([-1, 0, 10, 30])(
    'has nothing to audit since %i minutes ago: it may not be complete yet',
    async (minutes) => {
      const from = s.clock.now() - minutes * 60_000;
      expect(await auditSince(s.deps, from)).toEqual({ orders: 0, findings: [] });
    },
  );
});

const stayKey = (id: number) => ReservationEntity.key({ order_id: orderIdOf(id), reservation_id: id });
const stayOf = async (id: number) => {
  const { reservations } = await findOrder(s.deps.table, orderIdOf(id));
  return reservations.find(({ reservation_id }) => reservation_id === id) ?? reservations[0]!;
};
const monthOf = async (id: number) => {
  const { calendar_id, listing_id, start_at } = await stayOf(id);
  return CalendarMonthEntity.key({ calendar_id, listing_id, month: start_at.slice(0, 7) });
};
const eventKey = async (id: number, type: string) => {
  const events = await s.events(orderIdOf(id));
  const found = events.find(({ event_type }) => event_type === type);
  return EventEntity.key(found!);
};
const set = (fields: object) => (item: Record<string, unknown>) => ({ ...item, ...fields });
const gone = () => undefined;
/** Changes the taken hours of the days of a month. */
const rebit = (change: (days: Record<string, Uint8Array>) => void) => (item: Record<string, unknown>) => {
  const days = { ...(item['days'] as Record<string, Uint8Array>) };
  change(days);
  return { ...item, days };
};
const plantEntry = (entry: AvailabilityEntry) =>
  items.plant(AvailabilityEntryEntity.key(entry), () => stored(AvailabilityEntryEntity, entry));
const dueKey = async (id: number) => {
  const item = (await waitingIn(s.deps.table, dueBookings)).find(
    ({ reservation_id }) => reservation_id === id,
  );
  return dueBookings.entity.key(item!);
};
const removeDuePayment = async (id: number) => {
  const found = (await waitingIn(s.deps.table, duePayments)).filter(({ payment_id }) => payment_id === id);
  for (const item of found) await items.plant(duePayments.entity.key(item), gone);
};
/** Changes the postings of a stay. */
const posted = (id: number, change: (posting: Posting) => Posting) =>
  items.plant(stayKey(id), (item) => ({ ...item, postings: (item['postings'] as Posting[]).map(change) }));
const refundOf = async (id: number) => {
  const { refunds } = await findOrder(s.deps.table, orderIdOf(id));
  return PaymentRefundEntity.key(refunds[0]!);
};
const lastClosedPage = async () => {
  const pages = await readPagesSince(s.deps.table, s.team_id, 0, { consistent: true });
  return pages.at(-2)!;
};

const without = async (id: number, type: string): Promise<number> => {
  await items.plant(await eventKey(id, type), gone);
  return id;
};
const as = async (id: number, fields: object): Promise<number> => {
  await items.plant(stayKey((await stayOf(id)).reservation_id), set(fields));
  return id;
};
/** The no-show was 31 hours after the start of the scene. */
const hoursLater = (hours: number): string =>
  new Date(Date.parse('2027-01-16T10:00:00.000Z') + hours * hour).toISOString();

/** One fault for each rule, and the booking whose audit has to find it. */
const faults: Record<string, () => Promise<number | 'all' | { listing: number }>> = {
  'hours-without-entry': async () => {
    await items.plant(
      await monthOf(s.cash),
      rebit((days) => (days['21'] = new Uint8Array([1, 0, 0]))),
    );
    return s.cash;
  },
  'entry-without-hours': async () => {
    await items.plant(
      await monthOf(s.cash),
      rebit((days) => {
        for (const [day, bits] of Object.entries(days)) days[day] = bits.map((byte) => byte & 0x7f);
      }),
    );
    return s.cash;
  },
  'hour-taken-twice': async () => {
    const stay = await stayOf(s.family[0]!);
    await plantEntry({
      ...{ calendar_id: stay.calendar_id, listing_id: s.parent.id, availability_id: 77, state: 'BLOCKED' },
      ...{ reservation_id: null, order_id: null, start_at: stay.start_at, end_at: stay.end_at },
      ...{ locked_until: null, note: null, created_at: stay.created_at },
    });
    return s.family[0]!;
  },
  'stay-without-entry': async () => {
    await items.plant(AvailabilityEntryEntity.key(await stayOf(s.transfer)), gone);
    return s.transfer;
  },
  'entry-without-stay': async () => {
    const stay = await stayOf(s.cancelled);
    const { listing_id, calendar_id, availability_id, reservation_id, order_id, start_at, end_at } = stay;
    await plantEntry({
      ...{ calendar_id, listing_id, availability_id, reservation_id, order_id, start_at, end_at },
      ...{ state: 'BOOKED', locked_until: null, note: null, created_at: stay.created_at },
    });
    return s.cancelled;
  },
  'soft-lock-differs': async () => {
    const [item] = (await findOrder(s.deps.table, s.held)).order!.items;
    await items.plant(AvailabilityEntryEntity.key(item!), gone);
    return { listing: s.long.id };
  },
  'order-stays': async () => {
    await items.plant(stayKey(s.family[1]!), gone);
    return s.family[0]!;
  },
  'order-total': async () => {
    await items.plant(OrderEntity.key({ order_id: orderIdOf(s.cash) }), set({ estimated_total: 1 }));
    return s.cash;
  },
  'stay-price': async () => {
    await items.plant(stayKey(s.cash), set({ total: 5 }));
    return s.cash;
  },
  'state-without-event': async () => {
    await items.plant(await eventKey(s.accepted[0]!, 'booking.confirmed'), gone);
    return s.accepted[0]!;
  },
  'event-without-state': async () => {
    await items.plant(stayKey(s.cancelled), set({ state: 'CONFIRMED' }));
    return s.cancelled;
  },
  'event-repeated': async () => {
    const key = await eventKey(s.cash, 'booking.created');
    const before = await items.get(key);
    await items.plant({ ...key, sk: `${key.sk}again` }, () => ({
      ...before,
      sk: `${key.sk}again`,
      id: 'evt_again',
    }));
    return s.cash;
  },
  'payment-amount': async () => {
    await items.plant(PaymentEntity.key({ payment_id: s.open }), set({ amount: 3 }));
    return s.open;
  },
  'payment-state': async () => {
    await items.plant(PaymentEntity.key({ payment_id: s.open }), set({ state: 'CHARGING' }));
    return s.open;
  },
  'paid-stay-without-payment': async () => {
    await items.plant(PaymentEntity.key({ payment_id: s.page }), set({ state: 'OPEN' }));
    return s.page;
  },
  'payment-without-stays': async () => {
    await items.plant(stayKey(s.page + 1), ({ postings: _, ...stay }) => ({
      ...stay,
      payment_status: 'PENDING',
    }));
    return s.page;
  },
  'refund-above-paid': async () => {
    await items.plant(await refundOf(s.refunded), (refund) => ({
      ...refund,
      amount: Number(refund['amount']) + 1,
    }));
    return s.refunded;
  },
  'refund-count': async () => {
    await items.plant(PaymentEntity.key({ payment_id: s.refunded }), set({ refunded: 0 }));
    return s.refunded;
  },
  'refund-missing': async () => {
    await items.plant(await refundOf(s.due), gone);
    return s.due;
  },
  'refund-promised': async () => {
    await items.plant(await eventKey(s.refunded + 1, 'booking.cancelled'), (event) => ({
      ...event,
      data: { ...(event['data'] as object), refund: 1 },
    }));
    return s.refunded;
  },
  'refund-status': async () => {
    await posted(s.refunded + 1, (posting) =>
      posting.kind === 'refund' ? { ...posting, is_due: true } : posting,
    );
    return s.refunded;
  },
  'payment-status': async () => {
    await items.plant(stayKey(s.refunded + 1), set({ payment_status: 'PAID' }));
    return s.refunded;
  },
  'change-not-held': async () => {
    await items.plant(stayKey(s.cash), set({ pending_change: s.cash + 15 }));
    return s.cash;
  },
  'due-booking-missing': async () => {
    await items.plant(await dueKey(s.pending[0]!), gone);
    return s.pending[0]!;
  },
  'due-payment-missing': async () => {
    await removeDuePayment(s.due);
    return s.due;
  },
  'work-late': async () => {
    const before = s.clock.now() - 8 * hour;
    await items.plant(stayKey(s.transfer), set({ pay_until: before, updated_at: instantText(before) }));
    return s.transfer;
  },
  'event-not-in-feed': async () => {
    const pages = await readPagesSince(s.deps.table, s.team_id, 0, { consistent: true });
    const page = pages.findLast(({ entries }) => entries[0]?.event_type.startsWith('booking.'))!;
    await items.plant(
      EventPageEntity.key(page),
      set({ entries: page.entries.slice(1), count: page.count - 1 }),
    );
    return 'all';
  },
  'feed-pages': async () => {
    await items.plant(EventPageEntity.key(await lastClosedPage()), gone);
    return 'all';
  },
  'review-figures': async () => {
    await items.plant(ListingEntity.key(s.home), set({ review_count: 2 }));
    return { listing: s.home.id };
  },
};

describe('the audit finds a planted fault:', () => {
  it.each(auditRules)('$name', async ({ name }) => {
    const where = await faults[name]!();
    const { findings } =
      where === 'all'
        ? await since()
        : typeof where === 'number'
          ? await auditBooking(s.deps, where)
          : await auditListing(s.deps, where.listing);
    expect(findings.map(({ rule }) => rule)).toContain(name);
  });

  it.each<[rule: string, what: string, plant: () => Promise<number>]>([
    ['state-without-event', 'a no-show without its event', () => without(s.missed, 'booking.no_show')],
    ['event-without-state', 'a no-show that is CONFIRMED', () => as(s.missed, { state: 'CONFIRMED' })],
    [
      'event-without-state',
      'a check-in that was not undone',
      () => without(s.undone, 'booking.check_in_undone'),
    ],
    ['state-without-event', 'a decline without its event', () => without(s.turnedDown, 'booking.declined')],
    [
      'event-repeated',
      'a stay that was declined and cancelled',
      async () => {
        const key = await eventKey(s.turnedDown, 'booking.declined');
        const again = { ...(await items.get(key)), sk: `${key.sk}again`, id: 'evt_again' };
        await items.plant({ ...key, sk: again.sk }, () => ({ ...again, event_type: 'booking.cancelled' }));
        return s.turnedDown;
      },
    ],
    [
      'state-without-event',
      'a guest who came by no event',
      () => as(s.unattended, { unattended: undefined }),
    ],
    [
      'event-without-state',
      'a COMPLETED by no completion',
      () => as(s.unattended, { state: 'NO_SHOW', unattended: undefined }),
    ],
    [
      'stay-without-entry',
      'preparation that the entry does not have',
      () => as(s.cash, { preparation_hours: 3 }),
    ],
    ['order-stays', 'preparation that the order does not have', () => as(s.cash, { preparation_hours: 3 })],
    [
      'entry-without-hours',
      'preparation whose hours are free',
      async () => {
        const key = AvailabilityEntryEntity.key(await stayOf(s.cash));
        await items.plant(key, set({ preparation_hours: 3 }));
        return s.cash;
      },
    ],
    [
      'stay-without-entry',
      'hours freed before the no-show',
      () => as(s.missed, { no_show_at: hoursLater(9) }),
    ],
    [
      'stay-without-entry',
      'hours not freed by the no-show',
      () => as(s.missed, { no_show_at: hoursLater(-9) }),
    ],
    [
      'refund-missing',
      'a no-show without its refund',
      async () => {
        await items.plant(await refundOf(s.missed), gone);
        return s.missed;
      },
    ],
    [
      'refund-missing',
      'a refund of another amount than its folio says',
      async () => {
        await posted((await stayOf(s.missed)).reservation_id, (posting) =>
          posting.kind === 'refund' ? { ...posting, amount: posting.amount - 1 } : posting,
        );
        return s.missed;
      },
    ],
    [
      'payment-status',
      'a part refunded as if it were all',
      () => as(s.missed, { payment_status: 'REFUNDED' }),
    ],
    ['payment-status', 'an unpaid stay as if it were paid', () => as(s.transfer, { payment_status: 'PAID' })],
    [
      'payment-status',
      'a paid stay as if it were not',
      async () => {
        await items.plant(stayKey(s.page + 1), set({ payment_status: 'PENDING' }));
        return s.page;
      },
    ],
    [
      'paid-stay-without-payment',
      'a stay that another charge paid',
      async () => {
        await posted(s.page + 1, (posting) => ({ ...posting, reference: 'txn_other' }));
        return s.page;
      },
    ],
    [
      'payment-without-stays',
      'a charge of which a stay has less',
      async () => {
        await posted(s.page + 1, (posting) => ({ ...posting, amount: posting.amount - 1 }));
        return s.page;
      },
    ],
    [
      'due-booking-missing',
      'a stay whose end is not listed',
      async () => {
        await items.plant(await dueKey(s.undone), gone);
        return s.undone;
      },
    ],
  ])('%s: %s', async (rule, _, plant) => {
    const id = await plant();
    const { findings } = await auditBooking(s.deps, id);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it('but none where a page of the feed has expired', async () => {
    await items.plant(EventPageEntity.key(await lastClosedPage()), gone);
    const rulesAt = async (now: number) => {
      const deps = { ...s.deps, clock: { ...s.clock, now: () => now } };
      const { findings } = await auditSince(deps, s.clock.now() - 80 * hour);
      const ofFeed = ['event-not-in-feed', 'feed-pages'];
      return ofFeed.filter((name) => findings.some(({ rule }) => rule === name));
    };
    expect(await rulesAt(s.clock.now())).toHaveLength(2);
    expect(await rulesAt(s.clock.now() + 31 * 24 * hour)).toEqual([]);
  });

  it('and plants one for each rule', () => {
    expect(Object.keys(faults).sort()).toEqual(auditRules.map(({ name }) => name).sort());
  });
});

// Last: it carries out the refund that the scene leaves due.
describe('a payment that came after the cancellation of its stay', () => {
  it('was refunded and is no finding, although nothing was ever paid', async () => {
    const late = { deps: s.deps, id: (await s.confirm([await s.listing()])).master_reservation_id };
    await s.cancel(late.id);
    await s.decide(late.id, 'success');
    await s.reconcile();
    const { reservations } = await findOrder(late.deps.table, late.id);
    expect(reservations[0]?.payment_status).toBe('REFUNDED');
    const rules = (await auditBooking(late.deps, late.id)).findings.map(({ rule }) => rule);
    expect(rules).not.toContain('state-without-event');
  });
});
