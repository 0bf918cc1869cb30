import { describe, expect, it } from 'vitest';
import { findOrder, scheduleEnds } from '../../shared/domain/booking/model.ts';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { useBank } from '../support/bank-scene.ts';
import { folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import { advanceMinutes, guest_info, ok, refusal, stay, useOrderScene } from '../support/order-scene.ts';

const s = useOrderScene();
const { bookingEvents, folio, requireSound: requireSoundRecords } = folioCalls(s);
const bank = useBank(s);
const { assign, bookHere, list, money, naming, report, send } = bank;

/** What the bank took after the time to transfer had ended, 72 hours after the booking. */
const late = (given: object) => report({ received_at: '2027-01-18T04:00:00.000Z', ...given });
/** No consumer runs here, which has listed the end of each stay when it was booked. */
const requireSound = async (bookingId: number): Promise<void> => {
  const { reservations } = await findOrder(s.deps.table, orderIdOf(bookingId));
  await scheduleEnds(
    s.deps,
    reservations.map(({ reservation_id }) => reservation_id),
  );
  await requireSoundRecords(bookingId);
};
const lapse = async (): Promise<void> => {
  advanceMinutes(73 * 60);
  await moveDueBookings(s.deps);
};
const detail = async (id: number) => ok(await s.booking(bank.owner, id));
const homeOf = async (id: number): Promise<number> => Number((await detail(id)).listing_id);
const isLapsed = { state: 'CANCELLED', payment_status: 'PENDING' };

/** A booking that was cancelled because no transfer had come. */
const lapsed = async (given: object = {}): Promise<number> => {
  const id = await bookHere(given);
  await lapse();
  expect(await detail(id)).toMatchObject(isLapsed);
  return id;
};

describe('a transfer that comes after its booking was cancelled for want of it', () => {
  it('restores the booking while its time is free', async () => {
    const id = await lapsed();
    await send(late({ text: naming(id) }));
    expect(await detail(id)).toMatchObject({
      ...{ state: 'CONFIRMED', payment_status: 'PAID', secured: true, transfer: null },
      ...{ payment_expires_at: null, cancel_reason: null },
    });
    expect(await list('MATCHED')).toMatchObject([{ rest: 0, booking_ids: [id] }]);
    expect((await folio(id, bank.owner)).postings.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['stay', price],
      ['payment', price],
    ]);
    const events = await bookingEvents(id);
    expect(events.map(({ event_type, data }) => [event_type, data.state])).toEqual([
      ['booking.created', 'CONFIRMED'],
      ['booking.cancelled', 'CANCELLED'],
      ['booking.restored', 'CONFIRMED'],
      ['payment.paid', 'CONFIRMED'],
    ]);
    const listing_id = await homeOf(id);
    const again = await s.confirm(s.other, { items: [stay({ id: listing_id })], payment_method: 'CASH' });
    expect(refusal(again).code).toBe('LISTING_NOT_AVAILABLE');
    await requireSound(id);
  });

  it('once: the same again, and another of the same amount, change nothing', async () => {
    const id = await lapsed();
    const given = late({ text: naming(id) });
    await Promise.all([send(given), send(given), send(late({ text: naming(id) }))]);
    await send(given);
    expect(await money(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    expect(await list()).toMatchObject([{ rest: price, booking_ids: [] }]);
    await requireSound(id);
  });

  it('restores a booking that then is cancelled as any other', async () => {
    const id = await lapsed();
    await send(late({ text: naming(id) }));
    ok(await s.cancel(bank.owner, id));
    expect(await detail(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    await send(late({ text: naming(id) }));
    expect(await list()).toMatchObject([{ rest: price }]);
    await requireSound(id);
  });

  it('of the deposit restores it with its plan, and what is above pays the balance', async () => {
    const id = await lapsed({ deposit_percent: 30 });
    await send(late({ text: naming(id), amount: 659_999 }));
    expect(await detail(id)).toMatchObject(isLapsed);
    await send(late({ text: naming(id), amount: 700_000 }));
    expect(await detail(id)).toMatchObject({
      ...{ state: 'CONFIRMED', payment_status: 'PENDING', secured: true },
      ...{ amount_due: 0, amount_due_later: price - 700_000, balance_due_at: '2027-02-07T07:00:00.000Z' },
    });
    advanceMinutes(21 * 24 * 60);
    await moveDueBookings(s.deps);
    expect(await money(id)).toMatchObject({ amount_due: price - 700_000 });
    await requireSound(id);
  });

  it('restores one that was changed and charged meanwhile, with its charges', async () => {
    const id = await bookHere();
    ok(await s.change(bank.owner, id, { check_out_date: '2027-02-13' }));
    const charges = `/api/v1/bookings/${id}/charges`;
    ok(await s.call('POST', charges, { ...bank.owner, body: { label: 'Minibar', amount: 60_000 } }), 201);
    const { amount_due } = await money(id);
    expect(amount_due).toBe(price + 1_000_000 + 60_000);
    await lapse();
    await send(late({ text: naming(id), amount: amount_due - 1 }));
    expect(await detail(id)).toMatchObject({ ...isLapsed, amount_due: 0 });
    await send(late({ text: naming(id), amount: amount_due }));
    expect(await detail(id)).toMatchObject({
      ...{ state: 'CONFIRMED', payment_status: 'PAID', charges: [{ amount: 60_000 }] },
    });
    const { postings } = await folio(id, bank.owner);
    expect(postings.map(({ kind }) => kind)).toEqual(['stay', 'change', 'charge', 'payment']);
    await requireSound(id);
  });

  it('restores one of which the deposit was returned meanwhile', async () => {
    const id = await bookHere({ security_deposit: 500_000 });
    const path = `/api/v1/bookings/${id}/security-deposit`;
    const deposit = (action: string) =>
      s.call('POST', path, { ...bank.owner, body: { action, amount: 500_000, method: 'CASH' } });
    ok(await deposit('TAKE'), 201);
    await lapse();
    ok(await deposit('RETURN'), 201);
    await send(late({ text: naming(id) }));
    expect(await detail(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    const { postings } = await folio(id, bank.owner);
    expect(postings.map(({ kind }) => kind)).toEqual([
      ...['stay', 'deposit_taken', 'deposit_returned', 'payment'],
    ]);
    await requireSound(id);
  });

  it('restores one again that lapsed again, since its payment was recorded by mistake', async () => {
    const id = await lapsed();
    await send(late({ text: naming(id) }));
    ok(
      await s.call('DELETE', `/api/v1/bookings/${id}/payments/1`, { ...bank.owner, query: { reason: 'x' } }),
    );
    await lapse();
    expect(await detail(id)).toMatchObject(isLapsed);
    await send(late({ text: naming(id), received_at: '2027-01-21T05:00:00.000Z' }));
    expect(await money(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    await requireSound(id);
  });

  it('restores all stays of its order, or none', async () => {
    const homes = [await s.listing({ team_id: bank.teamId }), await s.listing({ team_id: bank.teamId })];
    const items = homes.map((home) => stay(home));
    const { master_reservation_id: master } = ok(
      await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }),
      201,
    );
    await lapse();
    await send(late({ text: naming(master), amount: 2 * price - 1 }));
    const blocked = await s.block(bank.owner, homes[1]!, { block_date: '2027-02-11' });
    await send(late({ text: naming(master), amount: 2 * price }));
    expect([await detail(master + 1), await detail(master + 2)]).toMatchObject([isLapsed, isLapsed]);
    expect(await list()).toMatchObject([
      { rest: 2 * price, named_booking_ids: [master] },
      { rest: 2 * price - 1 },
    ]);
    const { availability_id } = ok(blocked, 201) as unknown as { availability_id: number };
    ok(await s.unblock(bank.owner, homes[1]!, availability_id));
    await send(late({ text: naming(master), amount: 2 * price + 5 }));
    const restored = { state: 'CONFIRMED', payment_status: 'PAID' };
    expect([await detail(master + 1), await detail(master + 2)]).toMatchObject([restored, restored]);
    await requireSound(master);
  });

  it('restores a stay and pays one of its order that still waits, or pays that alone', async () => {
    const given = [{ transfer_window_hours: 24 }, {}];
    const bookBoth = async () => {
      const homes = await Promise.all(given.map((one) => s.listing({ team_id: bank.teamId, ...one })));
      const items = homes.map((home) => stay(home));
      const request = { items, payment_method: 'BANK_TRANSFER' };
      return ok(await s.confirm(s.guest, request), 201).master_reservation_id;
    };
    const [one, other] = [await bookBoth(), await bookBoth()];
    advanceMinutes(25 * 60);
    await moveDueBookings(s.deps);
    await send(report({ text: naming(one), amount: 2 * price }));
    await send(report({ text: naming(other), amount: price }));
    const states = await Promise.all([one + 1, one + 2, other + 1, other + 2].map((id) => detail(id)));
    expect(states.map(({ state, payment_status }) => `${state} ${payment_status}`)).toEqual([
      ...['CONFIRMED PAID', 'CONFIRMED PAID', 'CANCELLED PENDING', 'CONFIRMED PAID'],
    ]);
    await requireSound(one);
    await requireSound(other);
  });

  it('is on the list where the time is taken, and restores the booking when a person assigns it later', async () => {
    const id = await lapsed();
    const listing_id = await homeOf(id);
    const taken = ok(
      await s.confirm(s.other, { items: [stay({ id: listing_id })], payment_method: 'CASH' }),
      201,
    );
    await send(late({ text: naming(id) }));
    const [open] = await list();
    expect(open).toMatchObject({ rest: price, booking_ids: [] });
    expect(refusal(await assign(open!.id, id))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: { unavailable: [{ listing_id }] },
    });
    ok(await s.cancel(s.other, taken.master_reservation_id));
    expect(ok(await assign(open!.id, id))).toMatchObject({ state: 'MATCHED', booking_ids: [id] });
    expect(await detail(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect((await bookingEvents(id)).at(-2)).toMatchObject({
      event_type: 'booking.restored',
      actor: `user:${(bank.owner as { user_id?: number }).user_id}`,
    });
    await requireSound(id);
  });

  it.each([
    ['that was cancelled by the guest', {}, (id: number) => s.cancel(s.guest, id)],
    ['that was cancelled by the host', {}, (id: number) => s.cancel(bank.owner, id)],
  ])('does not restore one %s', async (_, given, end) => {
    const id = await bookHere(given);
    ok(await end(id));
    await send(late({ text: naming(id) }));
    const [open] = await list();
    expect(refusal(await assign(open!.id, id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(await detail(id)).toMatchObject({ state: 'CANCELLED' });
  });

  it('does not restore one of which a part had been paid, or whose host had not accepted it', async () => {
    const part = await bookHere();
    await send(report({ text: naming(part), amount: 500_000 }));
    const asked = await bookHere({ instant_book_enabled: false });
    await lapse();
    for (const id of [part, asked]) {
      await send(late({ text: naming(id) }));
      expect(await detail(id)).toMatchObject({ state: 'CANCELLED' });
      await requireSound(id);
    }
    const open = await list();
    for (const {
      id,
      named_booking_ids: [order],
    } of open)
      expect(refusal(await assign(id, order!)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('does not restore one whose check-in has come, nor by hand', async () => {
    const id = await lapsed();
    advanceMinutes(30 * 24 * 60);
    await send(late({ text: naming(id) }));
    const [open] = await list();
    expect(refusal(await assign(open!.id, id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(await detail(id)).toMatchObject(isLapsed);
  });

  it.each([
    ['is archived', { state: 'ARCHIVED' as const }],
    ['is of another team', { team_id: 1 }],
    ['is in another time zone', { timezone: 'Asia/Tokyo' }],
  ])('does not restore one whose home %s, nor by hand', async (_, given) => {
    const id = await lapsed();
    const listing_id = await homeOf(id);
    const home = await s.deps.table.get(ListingEntity, { id: listing_id });
    await s.deps.table.put(put(ListingEntity, { ...home!, ...given }));
    await send(late({ text: naming(id) }));
    const [open] = await list();
    expect(refusal(await assign(open!.id, id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(await detail(id)).toMatchObject(isLapsed);
  });

  it.each([
    ['a week after it', {}, '2027-01-25T05:00:00.000Z'],
    ['for a home that is not sold now', { state: 'INACTIVE' as const }, '2027-01-18T04:00:00.000Z'],
  ])('%s is left to a person, who restores it', async (_, given, received_at) => {
    const id = await lapsed();
    const listing_id = await homeOf(id);
    const home = await s.deps.table.get(ListingEntity, { id: listing_id });
    await s.deps.table.put(put(ListingEntity, { ...home!, ...given }));
    advanceMinutes(8 * 24 * 60);
    await send(late({ text: naming(id), received_at }));
    const [open] = await list();
    expect(await detail(id)).toMatchObject(isLapsed);
    ok(await assign(open!.id, id));
    expect(await detail(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('for a booking that a partner has made is left to a person, and the partner learns of it', async () => {
    const partner = await s.partner({ team_ids: [bank.teamId] });
    const home = await s.listing({ team_id: bank.teamId });
    const given = { ...stay(home), nights: 2, guest_info, payment_method: 'BANK_TRANSFER' };
    const { id } = ok(await s.bookOut(partner, given), 201);
    await lapse();
    await send(late({ text: naming(id) }));
    expect(await detail(id)).toMatchObject(isLapsed);
    const [open] = await list();
    ok(await assign(open!.id, id));
    expect(await detail(id)).toMatchObject({ state: 'CONFIRMED' });
    await requireSound(id);
  });

  it('of less than was due, or in another currency, restores nothing', async () => {
    const id = await lapsed();
    await send(late({ text: naming(id), amount: price - 1 }));
    await send(late({ text: naming(id), currency: 'USD' }));
    const [open] = (await list()).filter(({ currency }) => currency === 'VND');
    expect(refusal(await assign(open!.id, id))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { amount_due: price },
    });
    expect(await detail(id)).toMatchObject(isLapsed);
  });
});
