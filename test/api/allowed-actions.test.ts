import { beforeAll, describe, expect, it } from 'vitest';
import {
  addCharge,
  cancelBooking,
  changeDeposit,
  getBooking,
  markNoShow,
  markPaid,
  moveBooking,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import type { BookingAction } from '../../shared/domain/booking/booking-action.schema.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { type Reservation, ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { addAdjustment, changeBooking } from '../../shared/domain/checkout/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createReview } from '../../shared/domain/listing/index.ts';
import { changeHold, openDuePage } from '../../shared/domain/payment/index.ts';
import type { GuestCaller, UserCaller } from '../../shared/platform/auth.ts';
import { isOrderId, orderIdOf } from '../../shared/platform/ids.ts';
import { change } from '../../shared/platform/table/index.ts';
import { actionOutcomes } from '../support/action-outcomes.ts';
import { paymentScene, type PaymentScene } from '../support/payment-scene.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext, testStart, testTeam, testUser } from '../support/table.ts';

/*
 * Every action of a booking × scenes × instants × callers: it is offered if and only if its verb, called at once, is not refused.
 */
const local = (text: string): number => Date.parse(`${text}+07:00`);
/** Two nights from 4 February, 14:00; guests may arrive until 22:00, and cancel free of charge until 3 days before. */
const instants = {
  'when it is booked': Date.parse(testStart),
  'after the free cancellation': local('2027-02-02T15:00:00'),
  'on the day': local('2027-02-04T08:00:00'),
  'after the cut-off': local('2027-02-04T22:00:00'),
  'within the stay': local('2027-02-05T10:20:00'),
  'after it': local('2027-02-06T13:00:00'),
  'a day later': local('2027-02-07T12:00:00'),
  'after 31 days': local('2027-03-09T12:00:00'),
};
const arrival = instants['on the day'];
const departure = instants['within the stay'];

let s: PaymentScene;
let callers: Record<string, UserCaller>;
let strangers: UserCaller[];
beforeAll(async () => {
  s = await paymentScene();
  const { team_id } = s.owner.caller.memberships[0]!;
  const other = await testTeam(s.deps);
  const member = async (role: 'OWNER' | 'MANAGER' | 'STAFF', team = team_id) =>
    (await testUser(s.deps, { memberships: [{ team_id: team, role }] })).caller;
  callers = {
    OWNER: s.owner.caller,
    MANAGER: await member('MANAGER'),
    STAFF: await member('STAFF'),
    ADMIN: (await testUser(s.deps, { system_role: 'ADMIN' })).caller,
    guest: s.guest.caller,
    'guest and STAFF': { ...s.guest.caller, memberships: [{ team_id, role: 'STAFF' }] },
  };
  strangers = [s.other.caller, await member('OWNER', other.team_id)];
});

const at = (instant: number): void => s.clock.set(new Date(instant).toISOString());
const key = (id: number) => ({ order_id: orderIdOf(id), reservation_id: id });
const stayOf = async (id: number): Promise<Reservation> =>
  (await s.deps.table.get(ReservationEntity, key(id)))!;
const write = (id: number, set: Partial<Reservation>) =>
  s.deps.table.transact([change(ReservationEntity, key(id), { set })]);

type Payment = 'CASH' | 'BANK_TRANSFER' | 'ONLINE_GATEWAY';
const terms = { no_checkin_after_hour: '22:00:00', refund_rule: 'Full refund until 3 days before check-in' };
/** Returns the id of a stay, or of a master of several. */
const book = async (given: object = {}, payment_method: Payment = 'CASH', token = '', homes = 1) => {
  at(Date.parse(testStart));
  const listings = [];
  for (let home = 0; home < homes; home++) listings.push(await s.listing({ ...terms, ...given }));
  const booked = await confirmCheckout(s.guest, {
    items: s.items(...listings),
    payment_method,
    ...(token && { payment_gateway_token: token }),
  });
  return homes === 1 ? booked.reservations[0]!.id : booked.master_reservation_id;
};
const byHand = { instant_book_enabled: false };

const hostMoves = {
  'not moved': async () => undefined,
  'checked in': async (id: number) => {
    at(arrival);
    await moveBooking(s.owner, id, 'check_in');
  },
  'checked out': async (id: number) => {
    await hostMoves['checked in'](id);
    at(departure);
    await moveBooking(s.owner, id, 'check_out');
  },
  completed: async (id: number) => {
    await hostMoves['checked out'](id);
    await moveBooking(s.owner, id, 'complete');
  },
  cancelled: (id: number) => cancelBooking(s.owner, id),
  'cancelled late by its guest': (id: number) => {
    at(instants['after the free cancellation']);
    return cancelBooking(s.guest, id);
  },
  'a no-show': (id: number) => {
    at(instants['after the cut-off']);
    return markNoShow(s.owner, id);
  },
  'closed by the schedule': async (id: number) => {
    at(instants['after it']);
    await write(id, { state: 'COMPLETED', unattended: true });
  },
} satisfies Record<string, (id: number) => Promise<unknown>>;

const method = 'CASH' as const;
const deposited = { security_deposit: 500_000 };
const hold = async (): Promise<number> => {
  const id = await book(deposited);
  at(instants['after the free cancellation']);
  await changeHold(s.owner, id, { action: 'TAKE', amount: 500_000, method: 'ONLINE_GATEWAY' });
  return id;
};
const longer = { check_out_date: '2027-02-07' };

/** How a stay is booked and paid. */
const payments: Record<string, () => Promise<number>> = {
  'in cash': () => book(),
  'paid in cash': async () => {
    const id = await book();
    await markPaid(s.owner, id);
    return id;
  },
  'by transfer': () => book({}, 'BANK_TRANSFER'),
  'by a token': () => book({}, 'ONLINE_GATEWAY', 'tok_ok'),
  'on a page': () => book({}, 'ONLINE_GATEWAY'),
  'with a plan, its deposit paid': async () => {
    const id = await book({ deposit_percent: 30, balance_due: 'ON_ARRIVAL' });
    await markPaid(s.owner, id);
    return id;
  },
  'with its security deposit taken': async () => {
    const id = await book(deposited);
    await changeDeposit(s.owner, id, { action: 'TAKE', amount: 300_000, method });
    return id;
  },
};

/** What else may be of a booking. */
const others: Record<string, () => Promise<number>> = {
  'awaits its host, in cash': () => book(byHand),
  'awaits its host, by transfer': () => book(byHand, 'BANK_TRANSFER'),
  'awaits its host, authorised': () => book(byHand, 'ONLINE_GATEWAY', 'tok_ok'),
  'awaits its host, to be paid on a page': () => book(byHand, 'ONLINE_GATEWAY'),
  'was declined': async () => {
    const id = await book(byHand, 'ONLINE_GATEWAY', 'tok_ok');
    await cancelBooking(s.owner, id);
    return id;
  },
  'is free of charge': async () => {
    const id = await book(byHand);
    const { total } = await stayOf(id);
    await addAdjustment(s.owner, id, { label: 'Our guest', amount: -total, reason: 'GOODWILL' });
    await moveBooking(s.owner, id, 'confirm');
    return id;
  },
  'is paid in part': async () => {
    const id = await book();
    await takePayment(s.owner, id, { amount: 5, method });
    return id;
  },
  'is overpaid': async () => {
    const id = await book();
    await takePayment(s.owner, id, { amount: 9_000_000, method, overpaid: true });
    return id;
  },
  'is overpaid, by the partner': async () => {
    const id = await others['is overpaid']!();
    const { postings = [] } = await stayOf(id);
    await write(id, { postings: postings.map((one) => ({ ...one, collected_by: 'PARTNER' as const })) });
    return id;
  },
  'was charged beside its price': async () => {
    const id = await payments['by a token']!();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 60_000 });
    return id;
  },
  'has had all the charges it can': async () => {
    const id = await book();
    const one = { kind: 'charge' as const, amount: 1, at: 0, label: 'Minibar', quantity: 1 };
    await write(id, { postings: Array.from({ length: 50 }, () => one), folio_version: 1 });
    return id;
  },
  'has a page for what is due': async () => {
    const id = await book();
    await openDuePage(s.owner, id);
    return id;
  },
  'is of a home that is not paid online': () => book({ payment_methods: ['CASH'] }),
  'waits for its changed price': async () => {
    const id = await payments['by a token']!();
    await changeBooking(s.guest, id, longer);
    return id;
  },
  'whose change is being charged': async () => {
    const id = await others['waits for its changed price']!();
    const { pending_change: order_id = 0 } = await stayOf(id);
    await s.deps.table.transact([change(OrderEntity, { order_id }, { set: { state: 'CHARGING' } })]);
    return id;
  },
  'has all of its security deposit': async () => {
    const id = await book(deposited);
    await changeDeposit(s.owner, id, { action: 'TAKE', amount: 500_000, method });
    return id;
  },
  'has a page for its security deposit': hold,
  'has its security deposit authorised': async () => {
    const id = await hold();
    await s.decide((await stayOf(id)).deposit_hold!.payment_id, 'success');
    return id;
  },
  'was reviewed': async () => {
    const id = await payments['paid in cash']!();
    await hostMoves.completed(id);
    await createReview(s.guest, id, { rating: 5, comment: 'Quiet' });
    return id;
  },
  'has no link': async () => {
    const id = await book();
    await write(id, { guest_link: { version: 0, tries: 0, is_off: true } });
    return id;
  },
  'whose time to pay ends at check-in': async () => {
    const id = await payments['by transfer']!();
    await write(id, { pay_until: local('2027-02-04T14:00:00') });
    return id;
  },
};

/** Masters, with what was done to their first stay. */
const masters: Record<string, () => Promise<number>> = {
  'of two stays': () => book({}, 'CASH', '', 2),
  'that waits for its host': () => book(byHand, 'ONLINE_GATEWAY', 'tok_ok', 2),
  'to be paid on a page': () => book({}, 'ONLINE_GATEWAY', '', 2),
  ...Object.fromEntries(
    (['checked in', 'completed', 'cancelled', 'a no-show'] as const).map((move) => [
      `whose first stay is ${move}`,
      async () => {
        const master = await book({}, 'CASH', '', 2);
        await hostMoves[move]((await getBooking(s.owner, master)).reservations[0]!.id);
        return master;
      },
    ]),
  ),
  'of homes with different cut-offs': async () => {
    at(Date.parse(testStart));
    const homes = [await s.listing(terms), await s.listing({ ...terms, no_checkin_after_hour: '23:30:00' })];
    return (await confirmCheckout(s.guest, { items: s.items(...homes), payment_method: 'CASH' }))
      .master_reservation_id;
  },
};

const seen = new Set<string>();
const link = (id: number, from: GuestCaller['from']): GuestCaller => ({
  ...{ kind: 'guest', reservation_id: id, version: 0, from },
});

/** Compares what is offered with what is possible for every caller, from now on. */
const walk = async (id: number): Promise<void> => {
  const now = s.clock.now();
  const links = isOrderId(id) ? {} : { 'link of a mail': link(id, 'm'), 'link of the host': link(id, 'h') };
  for (const [when, instant] of Object.entries(instants)) {
    if (instant < now) continue;
    at(instant);
    for (const [who, caller] of Object.entries({ ...callers, ...links })) {
      const { offered, possible } = await actionOutcomes(s.deps, caller, id);
      expect(offered, `${who} ${when}`).toEqual(possible);
      for (const action of offered) seen.add(`${action} ${who}`);
    }
  }
  for (const stranger of strangers)
    await expect(getBooking(testContext(s.deps, stranger), id)).rejects.toMatchObject({
      code: 'BOOKING_NOT_FOUND',
    });
};

const each = (scenes: Record<string, () => Promise<number>>) =>
  Object.entries(scenes).map(([name, make]) => ({ name, make }));

describe('what a booking allows is what its verbs do', () => {
  describe.each(each(payments))('booked $name', ({ make }) => {
    it.each(Object.entries(hostMoves).map(([move, lead]) => ({ move, lead })))('$move', async ({ lead }) => {
      const id = await make();
      await lead(id);
      await walk(id);
    });
  });
  it.each(each(others))('of one that $name', async ({ make }) => walk(await make()));
  it.each(each(masters))('of a master $name', async ({ make }) => walk(await make()));

  it('of a stay of a platform', async () => {
    const p = await platformScene();
    p.publish(sold('a', '2027-02-04', '2027-02-07'));
    await p.followAs({ label: 'Airbnb' });
    const id = await p.adopt();
    for (const instant of Object.values(instants)) {
      p.deps.clock.set(new Date(instant).toISOString());
      const { offered, possible } = await actionOutcomes(p.deps, p.owner.caller, id);
      expect(offered).toEqual(possible);
      expect(offered).not.toContain('CANCEL');
      expect(offered).not.toContain('CHANGE');
      expect(offered).toContain('ADD_CHARGE');
    }
  });

  it('and each action is offered to those who have the right to it', () => {
    const by = (who: string) =>
      [...seen].filter((one) => one.endsWith(` ${who}`)).map((one) => one.split(' ')[0]);
    const ofGuests: BookingAction[] = ['CANCEL', 'CHANGE', 'REVIEW'];
    expect(new Set(by('guest'))).toEqual(new Set([...ofGuests, 'CORRECT_GUEST']));
    expect(new Set(by('mail'))).toEqual(new Set([...ofGuests, 'OPEN_PAYMENT_PAGE']));
    expect(by('OWNER')).toHaveLength(22);
    expect(new Set(by('MANAGER'))).toEqual(new Set(by('OWNER')));
    expect(new Set(by('ADMIN'))).toEqual(new Set(by('OWNER')));
    expect(new Set(by('STAFF'))).toContain('TAKE_PAYMENT');
    expect(new Set(by('STAFF'))).not.toContain('REFUND');
  });
});
