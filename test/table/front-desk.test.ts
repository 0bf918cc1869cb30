import { beforeAll, expect, it } from 'vitest';
import type { Reservation } from '../../shared/domain/booking/reservation.entity.ts';
import { findOrderWithEvents } from '../../shared/domain/booking/booking.store.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { declineBooking } from '../../shared/domain/booking/decline-booking.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { markNoShow } from '../../shared/domain/booking/mark-no-show.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { violationsOf } from '../../shared/domain/audit/audit-rule.rules.ts';
import { orderRules } from '../../shared/domain/audit/order-audit.rules.ts';
import { paymentRules } from '../../shared/domain/audit/payment-audit.rules.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { reconcileSoon } from '../../shared/domain/payment/reconcile-payments.ts';
import { eventsOf } from '../support/events.ts';
import { paymentScene, type PaymentScene } from '../support/payment-scene.ts';
import { testStart } from '../support/table.ts';

/*
 * Every move of a booking × every state × every payment × every instant that decides. What has to happen is written here
 * from the decisions alone: `expected` shares nothing with the product.
 */
const payments = ['cash', 'cash paid', 'transfer', 'transfer paid', 'online'] as const;
type Payment = (typeof payments)[number];

const moves = [
  ...['accept', 'decline', 'cancel as host', 'cancel as guest', 'check in', 'undo check-in', 'check out'],
  ...['complete', 'no-show', 'no-show with part', 'no-show with all', 'mark paid', 'schedule'],
] as const;
type Move = (typeof moves)[number];

const local = (text: string): number => Date.parse(`${text}+07:00`);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const price = 2_200_000;
const part = 700_000;
/** The stay begins at 14:00; guests may arrive until 22:00; the terms refund in full until 3 days before. */
const start = local('2027-02-04T14:00:00');
const end = local('2027-02-06T12:00:00');
const cutOff = local('2027-02-04T22:00:00');
const arrival = local('2027-02-04T08:00:00');
const departure = local('2027-02-05T10:20:00');

const instants = {
  'a week before': local('2027-01-28T14:00:00'),
  'at the last free cancellation': local('2027-02-01T14:00:00'),
  'a millisecond after it': local('2027-02-01T14:00:00') + 1,
  'the evening before': local('2027-02-03T23:59:59.999'),
  'at midnight of the day': local('2027-02-04T00:00:00'),
  'an hour after an early check-in': arrival + hourMs,
  'before the cut-off': cutOff - 1,
  'at the cut-off': cutOff,
  'a day after the check-in': arrival + dayMs,
  'a millisecond later': arrival + dayMs + 1,
  'during the stay': departure + 1,
  'in the last hour': local('2027-02-06T11:30:00'),
  'a millisecond before the end': end - 1,
  'at the end': end,
  'before a day after the end': end + dayMs - 1,
  'a day after the end': end + dayMs,
  '30 days after the cut-off': cutOff + 30 * dayMs,
  'a millisecond after that': cutOff + 30 * dayMs + 1,
} as const;
type Instant = keyof typeof instants;

/** UNATTENDED: completed by the schedule without a check-in. */
const states = {
  PENDING: Date.parse(testStart),
  CONFIRMED: Date.parse(testStart),
  CHECKED_IN: arrival,
  CHECKED_OUT: departure,
  COMPLETED: departure,
  UNATTENDED: end + dayMs,
  CANCELLED: Date.parse(testStart),
  NO_SHOW: cutOff,
};
type State = keyof typeof states;

const isPaid = (payment: Payment, state: State): boolean =>
  payment.endsWith('paid') || (payment === 'online' && state !== 'PENDING');

/** A booking that was paid is accepted; what was not paid does not complete by itself; a declined card books nothing. */
const exists = (state: State, payment: Payment): boolean =>
  (state !== 'PENDING' || !payment.endsWith('paid')) && (state !== 'UNATTENDED' || isPaid(payment, state));

interface Taken {
  from: number;
  until: number;
}

interface Expected {
  state: string;
  status: string;
  /** Of the answer, and at the end at the gateway or by the host. */
  refund: number;
  /** From when and until when the hours stay taken; null: they are free. */
  taken: Taken | null;
  events: string[];
}

/** A stay's hours in each state, before the move. Who came at 8:00 has the hours from then on. */
const takenIn = (state: State): Taken | null => {
  if (state === 'CANCELLED') return null;
  if (state === 'NO_SHOW') return { from: start, until: cutOff };
  if (state === 'CHECKED_IN') return { from: arrival, until: end };
  return state === 'CHECKED_OUT' || state === 'COMPLETED'
    ? { from: arrival, until: local('2027-02-05T11:00:00') }
    : { from: start, until: end };
};

/** Local times are in whole seconds. */
const nextHour = (now: number): number =>
  Math.min(end, Math.ceil((Math.floor(now / 1000) * 1000) / hourMs) * hourMs);

/** What the move has to do; a text: its error. */
const expected = (state: State, payment: Payment, now: number, move: Move): Expected | string => {
  const paid = isPaid(payment, state);
  const refused = 'INVALID_STATE_TRANSITION';
  const same: Expected = {
    state: state === 'UNATTENDED' ? 'COMPLETED' : state,
    status: paid ? (state === 'CANCELLED' ? 'REFUNDED' : 'PAID') : 'PENDING',
    refund: 0,
    taken: takenIn(state),
    events: [],
  };
  const gone = (event: string, refund: number): Expected => ({
    ...same,
    state: 'CANCELLED',
    status: refund > 0 ? 'REFUNDED' : same.status,
    refund,
    taken: null,
    events: [event, ...(refund > 0 ? ['payment.refunded'] : [])],
  });
  const to = (next: string, ...events: string[]): Expected => ({ ...same, state: next, events });
  const left = (next: string, ...events: string[]): Expected => {
    const until = now >= end ? end : nextHour(now);
    const from = same.taken?.from ?? start;
    const freed = until < end ? ['availability.changed'] : [];
    const taken = until <= from ? null : { from, until };
    return { ...same, state: next, taken, events: [...events, ...freed] };
  };
  const arrived = (at: number): Expected => {
    const from = Math.floor(at / hourMs) * hourMs;
    return from < start
      ? { ...to('CHECKED_IN', 'booking.checked_in', 'availability.changed'), taken: { from, until: end } }
      : to('CHECKED_IN', 'booking.checked_in');
  };
  const missed = (refund: number): Expected => ({
    ...left('NO_SHOW', 'booking.no_show', ...(refund > 0 ? ['payment.refunded'] : [])),
    status: refund === price ? 'REFUNDED' : same.status,
    refund,
  });
  const open = state === 'PENDING' || state === 'CONFIRMED';
  const all = paid ? price : 0;
  switch (move) {
    case 'accept':
      if (state !== 'PENDING') return refused;
      return payment === 'online'
        ? { ...to('CONFIRMED', 'booking.confirmed', 'payment.paid'), status: 'PAID' }
        : to('CONFIRMED', 'booking.confirmed');
    case 'decline':
      return state === 'PENDING' ? gone('booking.declined', all) : refused;
    case 'cancel as host':
      return open ? gone('booking.cancelled', all) : refused;
    case 'cancel as guest':
      return open ? gone('booking.cancelled', now <= start - 3 * dayMs ? all : 0) : refused;
    case 'check in':
      return state === 'CONFIRMED' && now >= local('2027-02-04T00:00:00') && now < end
        ? arrived(now)
        : refused;
    case 'undo check-in':
      return state === 'CHECKED_IN' && now <= arrival + dayMs
        ? {
            ...to('CONFIRMED', 'booking.check_in_undone', 'availability.changed'),
            taken: { from: start, until: end },
          }
        : refused;
    case 'check out':
      return state === 'CHECKED_IN' ? left('CHECKED_OUT', 'booking.checked_out') : refused;
    case 'complete':
      return state === 'CHECKED_OUT' ? to('COMPLETED', 'booking.completed') : refused;
    case 'no-show':
    case 'no-show with part':
    case 'no-show with all': {
      const inTime = now >= cutOff && now <= cutOff + 30 * dayMs;
      if (!(state === 'CONFIRMED' || state === 'UNATTENDED') || !inTime) return refused;
      const asked = { 'no-show': 0, 'no-show with part': part, 'no-show with all': price }[move];
      return asked > all ? 'VALIDATION_ERROR' : missed(asked);
    }
    case 'mark paid':
      if (paid || payment === 'online' || state === 'CANCELLED' || state === 'NO_SHOW') return refused;
      return state === 'PENDING'
        ? { ...to('CONFIRMED', 'booking.confirmed', 'payment.paid'), status: 'PAID' }
        : { ...to(same.state, 'payment.paid'), status: 'PAID' };
    case 'schedule':
      if (state === 'PENDING') return gone('booking.cancelled', 0);
      if (state === 'CONFIRMED' && payment === 'transfer') return gone('booking.cancelled', 0);
      if (state === 'CHECKED_OUT' && now >= departure + dayMs) return to('COMPLETED', 'booking.completed');
      if (now < end + dayMs) return same;
      if (state === 'CHECKED_IN') return to('CHECKED_OUT', 'booking.checked_out');
      if (state === 'CONFIRMED')
        return paid ? to('COMPLETED', 'booking.completed') : to('NO_SHOW', 'booking.no_show');
      return same;
    default:
      throw new Error(move);
  }
};

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

interface Booked {
  id: number;
  order: number;
  listing: number;
}

/** Books a stay of its own listing and leads it into a state, each step at its time. */
const bookedIn = async (state: State, payment: Payment): Promise<Booked> => {
  s.clock.set(testStart);
  const byHand = state === 'PENDING';
  const { id: listing } = await s.listing({
    instant_book_enabled: !byHand,
    no_checkin_after_hour: '22:00:00',
  });
  const [method] = payment.split(' ');
  const { master_reservation_id: order, reservations } = await confirmCheckout(s.guest, {
    items: s.items({ id: listing }),
    payment_method: { cash: 'CASH', transfer: 'BANK_TRANSFER', online: 'ONLINE_GATEWAY' }[
      method as 'cash' | 'transfer' | 'online'
    ] as 'CASH',
    ...(method === 'online' ? { payment_gateway_token: 'tok_ok' } : {}),
  });
  const booked = { id: reservations[0]!.id, order, listing };
  if (payment.endsWith('paid')) await markPaid(s.owner, booked.id);
  await leadInto(booked, state);
  return booked;
};

const leadInto = async (booked: Booked, state: State): Promise<void> => {
  const { id } = booked;
  const at = (instant: number) => s.clock.set(new Date(instant).toISOString());
  if (state === 'CANCELLED') {
    await cancelBooking(s.owner, id);
    await settle(booked);
  }
  if (state === 'NO_SHOW') {
    at(cutOff);
    await markNoShow(s.owner, id);
  }
  if (state === 'UNATTENDED') {
    at(states.UNATTENDED);
    await runSchedule(booked);
  }
  if (state === 'CHECKED_IN' || state === 'CHECKED_OUT' || state === 'COMPLETED') {
    at(arrival);
    await moveBooking(s.owner, id, 'check_in');
  }
  if (state === 'CHECKED_OUT' || state === 'COMPLETED') {
    at(departure);
    await moveBooking(s.owner, id, 'check_out');
  }
  if (state === 'COMPLETED') await moveBooking(s.owner, id, 'complete');
};

/** The consumer of the booking has listed its end. */
const runSchedule = async ({ id }: Booked): Promise<void> => {
  await scheduleEnds(s.deps, [id]);
  const { failed } = await s.moveDue();
  expect(failed).toBe(0);
};

/** The gateway executes what is due for the order, and for a stay that is paid apart. */
const settle = async ({ id, order }: Booked): Promise<void> => {
  for (const payment of [order, id]) await reconcileSoon(s.owner, payment);
};

const make = (booked: Booked, move: Move): Promise<unknown> => {
  const { id } = booked;
  switch (move) {
    case 'accept':
      return acceptBooking(s.owner, id);
    case 'decline':
      return declineBooking(s.owner, id, 'painting');
    case 'cancel as host':
      return cancelBooking(s.owner, id);
    case 'cancel as guest':
      return cancelBooking(s.guest, id);
    case 'check in':
      return moveBooking(s.owner, id, 'check_in');
    case 'undo check-in':
      return moveBooking(s.owner, id, 'undo_check_in');
    case 'check out':
      return moveBooking(s.owner, id, 'check_out');
    case 'complete':
      return moveBooking(s.owner, id, 'complete');
    case 'no-show':
      return markNoShow(s.owner, id);
    case 'no-show with part':
      return markNoShow(s.owner, id, part);
    case 'no-show with all':
      return markNoShow(s.owner, id, price);
    case 'mark paid':
      return markPaid(s.owner, id);
    case 'schedule':
      return runSchedule(booked);
    default:
      throw new Error(move);
  }
};

const stayOf = async ({ order }: Booked): Promise<Reservation> => (await s.order(order)).reservations[0]!;

const takenOf = async ({ listing }: Booked): Promise<Taken | null> => {
  const time = { calendar_id: listing, listing_id: listing };
  const year = { ...time, start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
  const taken = (await CalendarDraft.load(s.deps.table, [year], s.clock.now())).taken(year);
  expect(taken.length).toBeLessThanOrEqual(1);
  const [one] = taken;
  if (!one) return null;
  return { from: local(one.start_at), until: local(one.end_at) };
};

const typesOf = async ({ order, listing }: Booked): Promise<string[]> => [
  ...(await s.typesOf(order)),
  ...(await eventsOf(s.deps.table, `LISTING#${listing}`)).map(({ event_type }) => event_type),
];

/** What the records of an order contradict. */
const contradictions = async ({ order }: Booked) => {
  const found = await findOrderWithEvents(s.deps.table, order, { consistent: true });
  const audited = { ...found, order_id: order, change_orders: [], now: s.clock.now() };
  return [...violationsOf(orderRules, audited), ...violationsOf(paymentRules, audited)];
};

/** What is at the gateway: an authorisation is never left beside a stay that fell through. */
const atGateway = ({ id, order }: Booked) => {
  const found = s.server.find(id) ?? s.server.find(order);
  const back = Object.values(found?.refunds ?? {}).reduce((sum, one) => sum + one, 0);
  return { state: found?.state, back };
};

const refundedOf = ({ postings = [] }: Reservation): number =>
  postings.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0);

const setClock = (instant: number): void => s.clock.set(new Date(instant).toISOString());

const moveOnce = async (state: State, payment: Payment, instant: Instant, move: Move, wanted: Expected) => {
  const label = `${move} of ${state} (${payment}) ${instant}`;
  if (move === 'schedule') await s.clear();
  const booked = await bookedIn(state, payment);
  const before = await typesOf(booked);
  const { back: backBefore } = atGateway(booked);
  const postedBefore = refundedOf(await stayOf(booked));
  setClock(instants[instant]);
  const answer = (await make(booked, move)) as { state?: string; refund?: { amount: number } } | undefined;
  if (move !== 'schedule') expect(answer?.state, label).toBe(wanted.state);
  if (answer?.refund) expect(answer.refund.amount, label).toBe(wanted.refund);
  await settle(booked);
  const stay = await stayOf(booked);
  const { state: gateway, back } = atGateway(booked);
  const emitted = (await typesOf(booked)).filter((type) => {
    const at = before.indexOf(type);
    if (at >= 0) before.splice(at, 1);
    return at < 0;
  });
  const actual = {
    state: stay.state,
    status: stay.payment_status,
    taken: await takenOf(booked),
    events: emitted.sort(),
  };
  const { refund, events, ...rest } = wanted;
  expect(actual, label).toEqual({ ...rest, events: events.toSorted() });
  expect(back - backBefore, label).toBe(payment === 'online' ? refund : 0);
  const fellThrough = stay.state === 'CANCELLED' || stay.state === 'NO_SHOW';
  if (fellThrough) expect(gateway, label).not.toBe('authorised');
  expect(refundedOf(stay) - postedBefore, label).toBe(refund);
  expect(await contradictions(booked), label).toEqual([]);
};

const rows = (Object.keys(states) as State[]).flatMap((state) =>
  payments.filter((payment) => exists(state, payment)).map((payment) => ({ state, payment })),
);
const counted = { done: 0, refused: 0 };

it.each(rows)(
  '$state, $payment: each move at each instant does what it must, or is refused and changes nothing',
  async ({ state, payment }) => {
    await s.clear();
    const idle = await bookedIn(state, payment);
    const [stay, types, taken] = [await stayOf(idle), await typesOf(idle), await takenOf(idle)];
    const possible = (Object.keys(instants) as Instant[]).filter((one) => instants[one] >= states[state]);
    for (const instant of possible)
      for (const move of moves) {
        setClock(instants[instant]);
        const wanted = expected(state, payment, instants[instant], move);
        const label = `${move} of ${state} (${payment}) ${instant}`;
        if (typeof wanted !== 'string') continue;
        await expect(make(idle, move), label).rejects.toMatchObject({ code: wanted });
        counted.refused++;
      }
    expect([await stayOf(idle), await typesOf(idle), await takenOf(idle)]).toEqual([stay, types, taken]);
    for (const instant of possible)
      for (const move of moves) {
        const wanted = expected(state, payment, instants[instant], move);
        if (typeof wanted === 'string') continue;
        await moveOnce(state, payment, instant, move, wanted);
        counted.done++;
      }
  },
  240_000,
);

it('has tried every one', () => {
  expect(rows).toHaveLength(36);
  const possible = rows.reduce(
    (sum, { state }) => sum + Object.values(instants).filter((at) => at >= states[state]).length,
    0,
  );
  expect(counted.done + counted.refused).toBe(possible * moves.length);
  expect(counted.done).toBeGreaterThan(700);
});
