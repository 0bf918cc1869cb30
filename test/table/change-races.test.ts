import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking, auditListing } from '../../shared/domain/audit/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { paidFor } from '../../shared/domain/folio/model.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { updateListing } from '../../shared/domain/listing/index.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { type Context, systemContext } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { interrupted } from '../support/interrupted.ts';
import { crashingTable, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const listing = (given: Parameters<PaymentScene['listing']>[0] = {}) =>
  s.listing({ refund_rule: 'Full refund until check-in', ...given });

const bookBy = async (
  ctx: Context<UserCaller>,
  { id }: { id: number },
  [check_in_date, check_out_date]: [string, string] = ['2027-02-04', '2027-02-06'],
  more: object = {},
): Promise<number> => {
  const { reservations } = await confirmCheckout(ctx, {
    items: [{ listing_id: id, check_in_date, check_out_date, guest_number: 2 }],
    payment_method: 'CASH',
    ...more,
  });
  return reservations[0]!.id;
};
const longer = { check_out_date: '2027-02-07' };

const stayOf = async (id: number) =>
  (await s.order(id - (id % 16))).reservations.find(({ reservation_id }) => reservation_id === id)!;
const datesOf = async (id: number) => {
  const { check_in_date, check_out_date, state } = await stayOf(id);
  return [state, check_in_date, check_out_date];
};
const taken = async ({ id, parent_listing_id }: { id: number; parent_listing_id?: number | null }) => {
  const time = { calendar_id: parent_listing_id ?? id, listing_id: id };
  const year = { ...time, start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
  const draft = await CalendarDraft.load(s.deps.table, [year], s.clock.now());
  return draft.taken(year).map(({ start_at, end_at }) => `${start_at.slice(5, 13)} ${end_at.slice(5, 13)}`);
};
const clean = async (id: number): Promise<void> =>
  expect((await auditBooking(s.deps, id)).findings).toEqual([]);
const before = ['CONFIRMED', '2027-02-04', '2027-02-06'];

describe('between the reads of a stay and of its calendar', () => {
  const beforeCalendar = { before: 'CalendarMonth' };

  it('another change moves it to a part of the new time: the change is made, and not refused for its own hours', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const other = { check_in_date: '2027-02-05', check_out_date: '2027-02-07' };
    const change = { check_in_date: '2027-02-06', check_out_date: '2027-02-08' };
    await changeBooking(
      interrupted(s.guest, () => changeBooking(s.guest, id, other), beforeCalendar),
      id,
      change,
    );
    expect(await datesOf(id)).toEqual(['CONFIRMED', '2027-02-06', '2027-02-08']);
    await clean(id);
  });

  it('another guest books the new time: the change is refused', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const meanwhile = () => bookBy(s.other, home, ['2027-02-06', '2027-02-07']);
    const booked = interrupted(s.guest, meanwhile, beforeCalendar);
    await expect(changeBooking(booked, id, longer)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(await datesOf(id)).toEqual(before);
  });
});

it('the check-out of a guest in house can be changed after the time to pay by transfer has ended', async () => {
  s.clock.set('2027-02-04T06:00:00Z');
  const id = await bookBy(s.guest, await listing(), undefined, { payment_method: 'BANK_TRANSFER' });
  await moveBooking(s.owner, id, 'check_in');
  s.clock.set('2027-02-05T07:30:00Z');
  expect((await stayOf(id)).pay_until).toBeLessThan(s.clock.now());
  await changeBooking(s.owner, id, longer);
  expect(await datesOf(id)).toEqual(['CHECKED_IN', '2027-02-04', '2027-02-07']);
});

describe('between the reads and the write of a change', () => {
  it('another guest books the new night: the stay is as it was', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const meanwhile = () => bookBy(s.other, home, ['2027-02-06', '2027-02-08']);
    await expect(changeBooking(interrupted(s.guest, meanwhile), id, longer)).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    expect(await datesOf(id)).toEqual(before);
    expect(await taken(home)).toEqual(['02-04T14 02-06T12', '02-06T14 02-08T12']);
    await clean(id);
  });

  it('another guest books a night beside it: its own present time is no obstacle', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const meanwhile = () => bookBy(s.other, home, ['2027-02-07', '2027-02-08']);
    await changeBooking(interrupted(s.guest, meanwhile), id, longer);
    expect(await taken(home)).toEqual(['02-04T14 02-07T12', '02-07T14 02-08T12']);
    await clean(id);
  });

  it('another guest books a room beside it, while the stay moves from the house into a room', async () => {
    const { house, rooms } = await s.house(2);
    const id = await bookBy(s.guest, house);
    const meanwhile = () => bookBy(s.other, rooms[1]!, ['2027-02-06', '2027-02-08']);
    await changeBooking(interrupted(s.owner, meanwhile), id, { listing_id: rooms[0]!.id });
    expect(await taken(rooms[0]!)).toEqual(['02-04T14 02-06T12']);
    expect(await taken(rooms[1]!)).toEqual(['02-06T14 02-08T12']);
    await clean(id);
  });

  it('it is cancelled: nothing is taken', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const meanwhile = () => cancelBooking(s.owner, id);
    await expect(changeBooking(interrupted(s.guest, meanwhile), id, longer)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await taken(home)).toEqual([]);
    await clean(id);
  });

  it('it is changed by another caller: both changes stand', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    const meanwhile = () => changeBooking(s.owner, id, { guest_number: 3 });
    await changeBooking(interrupted(s.guest, meanwhile), id, longer);
    expect(await stayOf(id)).toMatchObject({ guest_number: 3, nights: 3, changes: 2 });
    await clean(id);
  });

  it('the other stay of its order is changed: the order has both', async () => {
    const [one, two] = [await listing(), await listing()];
    const { reservations } = await confirmCheckout(s.guest, {
      items: s.items(one, two),
      payment_method: 'CASH',
    });
    const [first, second] = reservations.map(({ id }) => id) as [number, number];
    await changeBooking(
      interrupted(s.guest, () => changeBooking(s.owner, second, longer)),
      first,
      longer,
    );
    await clean(first);
    expect((await s.order(first - (first % 16))).order).toMatchObject({
      changes: 2,
      estimated_total: 6_400_000,
    });
  });

  it.each([
    ['guests', { guest_number: 3 }, '02-06T12'],
    ['the check-out', longer, '02-07T12'],
  ])(
    'its home becomes a room of a house: a change of %s is made in the calendar of the house',
    async (_, asked, end) => {
      const [home, house] = [await listing(), await listing()];
      const id = await bookBy(s.guest, home);
      const meanwhile = () => updateListing(s.owner, home.id, { parent_listing_id: house.id });
      await changeBooking(interrupted(s.guest, meanwhile), id, asked);
      expect(await stayOf(id)).toMatchObject({ calendar_id: house.id, ...asked });
      expect(await taken(house)).toEqual([`02-04T14 ${end}`]);
      expect(await taken(home)).toEqual([]);
      await clean(id);
    },
  );

  it('it is paid: the difference is due, or refunded', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    await changeBooking(
      interrupted(s.guest, () => markPaid(s.owner, id)),
      id,
      { check_out_date: '2027-02-05' },
    );
    expect(await stayOf(id)).toMatchObject({ payment_status: 'PAID', total: 1_200_000 });
    await changeBooking(s.guest, id, longer);
    const stay = await stayOf(id);
    expect([stay.payment_status, paidFor(stay)]).toEqual(['PENDING', 1_200_000]);
    await clean(id);
  });
});

describe('a change between the reads and the write of', () => {
  it('a cancellation: the time that the stay has now is free, and what was paid for it goes back', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    await markPaid(s.owner, id);
    const meanwhile = () => changeBooking(s.owner, id, { check_out_date: '2027-02-05' });
    const { refund } = await cancelBooking(interrupted(s.guest, meanwhile), id);
    expect(refund.amount).toBe(1_200_000);
    expect(await taken(home)).toEqual([]);
    await clean(id);
  });

  it('a cancellation, of guests alone: the refund is of the present price', async () => {
    const home = await listing({ guest_included_in_rate: 1, extra_adult_rate: 100_000 });
    const id = await bookBy(s.guest, home);
    await markPaid(s.owner, id);
    const meanwhile = () => changeBooking(s.owner, id, { guest_number: 1 });
    const { refund } = await cancelBooking(interrupted(s.guest, meanwhile), id);
    expect(refund.amount).toBe(2_200_000);
    await clean(id);
  });

  it.each([
    ['for the first time', []],
    ['once more', [1]],
  ])(
    'a cancellation, where the price stays: it announces the party that was to come, changed %s',
    async (_, changes) => {
      const id = await bookBy(s.guest, await listing());
      for (const guest_number of changes) await changeBooking(s.guest, id, { guest_number });
      const guest_number = changes.length > 0 ? 2 : 1;
      await cancelBooking(
        interrupted(s.owner, () => changeBooking(s.guest, id, { guest_number })),
        id,
      );
      const cancelled = (await s.events(id - (id % 16))).find(
        ({ event_type, data }) => event_type === 'booking.cancelled' && data.id === id,
      );
      expect(cancelled?.data).toMatchObject({ guest_number });
      await clean(id);
    },
  );

  it('a payment on site: what is paid is the present price', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    await markPaid(
      interrupted(s.owner, () => changeBooking(s.owner, id, longer)),
      id,
    );
    expect(await stayOf(id)).toMatchObject({ payment_status: 'PAID', total: 3_200_000 });
    await clean(id);
  });

  it('an acceptance: the page is of the present price', async () => {
    const home = await listing({ instant_book_enabled: false });
    const id = await bookBy(s.guest, home, undefined, { payment_method: 'ONLINE_GATEWAY' });
    await acceptBooking(
      interrupted(s.owner, () => changeBooking(s.owner, id, longer)),
      id,
    );
    expect((await s.order(id - (id % 16))).separatePayments[0]).toMatchObject({ amount: 3_200_000 });
    await clean(id);
  });

  it('a check-in', async () => {
    const home = await listing();
    const id = await bookBy(s.guest, home);
    s.clock.set('2027-02-04T08:00:00.000Z');
    await moveBooking(
      interrupted(s.owner, () => changeBooking(s.owner, id, longer)),
      id,
      'check_in',
    );
    expect(await datesOf(id)).toEqual(['CHECKED_IN', '2027-02-04', '2027-02-07']);
    await clean(id);
  });
});

describe('an unpaid online booking whose price has changed', () => {
  const online = { payment_method: 'ONLINE_GATEWAY' };

  it('is paid by its new page', async () => {
    const id = await bookBy(s.guest, await listing(), undefined, online);
    await changeBooking(s.guest, id, longer);
    await s.decide(id - 1, 'success');
    expect(await stayOf(id)).toMatchObject({ payment_status: 'PAID', total: 3_200_000 });
    expect(s.money(id - 1)).toEqual({ charged: 3_200_000, back: 0 });
    await clean(id);
  });

  it.each([
    ['dearer', longer, { payment_status: 'PENDING' }, 2_200_000],
    ['cheaper', { check_out_date: '2027-02-05' }, { payment_status: 'PAID' }, 1_000_000],
  ] as const)(
    'paid by its old page when it is %s, what is not its price goes back',
    async (_, asked, paid, back) => {
      const id = await bookBy(s.guest, await listing(), undefined, online);
      const { reference } = s.server.find(id - 1)!;
      await changeBooking(s.guest, id, asked);
      const outcome = {
        state: 'paid',
        transaction_id: 'sbt_old',
        amount: 2_200_000,
        currency: 'VND',
      } as const;
      await settlePayment(systemContext(s.deps, 'anonymous'), { payment_id: id - 1, reference, outcome });
      expect(await stayOf(id)).toMatchObject(paid);
      const { refunds } = await s.order(id - 1);
      expect(refunds.map(({ amount }) => amount)).toEqual([back]);
      await clean(id);
    },
  );
});

describe('a process that dies', () => {
  it.each(['before', 'after'] as const)(
    '%s the write of a change leaves one of the two stays whole',
    async (when) => {
      const home = await listing();
      const id = await bookBy(s.guest, home);
      await markPaid(s.owner, id);
      const table = crashingTable(s.deps.table, 0, when);
      const dying: Context = {
        ...s.guest,
        table,
        commit: async (writes, body) => (await table.transact(writes), body),
      };
      await expect(changeBooking(dying, id, { check_out_date: '2027-02-05' })).rejects.toThrow('died');
      expect(await datesOf(id)).toEqual(
        when === 'before' ? before : ['CONFIRMED', '2027-02-04', '2027-02-05'],
      );
      await clean(id);
    },
  );
});

describe('200 changes at once', () => {
  it('of the rooms of a house and of the house: no overlap, no stay lost', async () => {
    const families = await Promise.all(Array.from({ length: 4 }, () => s.house(3)));
    const homes = families.map(({ house, rooms }) => [house, ...rooms]);
    const booked = await Promise.all(
      homes.map((some) =>
        Promise.all(
          some.map((one, at) =>
            bookBy(s.guest, one, [addDays('2027-02-04', 3 * at), addDays('2027-02-05', 3 * at)]),
          ),
        ),
      ),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const family = at % 4;
        const id = booked[family]![Math.floor(at / 4) % 4]!;
        const from = addDays('2027-02-04', (at * 7) % 11);
        const to = addDays(from, 1 + (at % 3));
        const target = homes[family]![(at * 5 + family) % 4]!;
        try {
          await changeBooking(s.owner, id, {
            check_in_date: from,
            check_out_date: to,
            listing_id: target.id,
          });
          return 'changed';
        } catch (error) {
          return error instanceof ServiceError ? error.code : String(error);
        }
      }),
    );
    const ids = booked.flat();
    const houses = families.map(({ house }) => house.id);
    const counts = Object.fromEntries(
      [...Map.groupBy(outcomes, (one) => one)].map(([one, all]) => [one, all.length]),
    );
    expect(counts['changed']).toBeGreaterThan(10);
    expect(Object.keys(counts).sort()).toEqual(
      ['LISTING_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE', 'changed'].filter((one) => counts[one]).sort(),
    );
    for (const id of ids) {
      expect((await stayOf(id)).state).toBe('CONFIRMED');
      await clean(id);
    }
    for (const { id } of homes.flat()) expect((await auditListing(s.deps, id)).findings).toEqual([]);
    const stays = await Promise.all(ids.map(stayOf));
    for (const [at, one] of stays.entries())
      for (const other of stays.slice(at + 1)) {
        const excludes =
          one.listing_id === other.listing_id ||
          (one.calendar_id === other.calendar_id &&
            houses.some((id) => id === one.listing_id || id === other.listing_id));
        expect(excludes && one.start_at < other.end_at && other.start_at < one.end_at).toBe(false);
      }
  }, 120_000);
});
