import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking, auditListing } from '../../shared/domain/audit/index.ts';
import { updateListing } from '../../shared/domain/listing/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { getExternalBooking } from '../../shared/domain/booking/external-bookings.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import type { ChangeRequest } from '../../shared/domain/checkout/change.schema.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import {
  change as changeItem,
  type Consumption,
  present,
  remove,
  Table,
} from '../../shared/platform/table/index.ts';
import { countingClient, countsUnits } from '../support/costs.ts';
import { interrupted } from '../support/interrupted.ts';
import { minute, hour, paymentScene, type PaymentScene } from '../support/payment-scene.ts';
import { testContext, testKey, testTableName, testUser } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

/** A night costs 1,000,000 and the cleaning 200,000; two nights from 4 February are paid. */
const listing = () => s.listing({ refund_rule: 'Full refund until check-in' });
const night = 1_000_000;
const longer = { check_out_date: '2027-02-07' };

const bookPaid = async (...homes: { id: number }[]): Promise<number[]> =>
  (await s.confirm(homes, 'tok_ok')).reservations.map(({ id }) => id);
const one = async (home?: { id: number }): Promise<number> => (await bookPaid(home ?? (await listing())))[0]!;
const change = (id: number, asked: ChangeRequest = longer, ctx: Context = s.guest) =>
  changeBooking(ctx, id, asked);
const shown = async (id: number, ctx: Context = s.guest) => (await getBooking(ctx, id)).pending_change;
const pendingOf = async (id: number): Promise<number> =>
  (await s.order(orderIdOf(id))).reservations.find(({ reservation_id }) => reservation_id === id)!
    .pending_change!;
const partnerOf = async (...team_ids: number[]): Promise<Context<PartnerCaller>> =>
  testContext(s.deps, (await testKey(s.deps, { team_ids })).caller);

describe('a change that waits for its payment', () => {
  it('is shown with its page to the guest, to hosts, and to keys of the team', async () => {
    const home = await listing();
    const id = await one(home);
    expect(await shown(id)).toBeNull();
    const { payment_url, payment_expires_at } = (await change(id)).change;
    const expected = {
      booking_id: id,
      listing_id: home.id,
      listing_name: home.name,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-07',
      start_at: '2027-02-04T14:00:00',
      end_at: '2027-02-07T12:00:00',
      nights: 3,
      guest_number: 2,
      adult_number: null,
      children_number: null,
      extra_services: [],
      total_price: 3_200_000,
      difference: night,
      amount_due: night,
      payment_url,
      payment_expires_at,
      asked_by: 'guest',
    };
    expect(payment_url).toContain(String(await pendingOf(id)));
    expect(await shown(id)).toEqual(expected);
    expect(await shown(orderIdOf(id))).toEqual(expected);
    expect(await shown(id, s.owner)).toEqual(expected);
    const { team_id } = home;
    expect((await getExternalBooking(await partnerOf(team_id), id)).pending_change).toEqual(expected);
    expect(await getBooking(s.guest, id)).toMatchObject({ check_out_date: '2027-02-06', nights: 2 });
  });

  it('is not shown to others, who cannot read the booking', async () => {
    const id = await one();
    await change(id);
    const { caller } = await testUser(s.deps);
    await expect(shown(id, testContext(s.deps, caller))).rejects.toMatchObject({ code: 'BOOKING_NOT_FOUND' });
    await expect(getExternalBooking(await partnerOf(1), id)).rejects.toMatchObject({
      code: 'EXTERNAL_BOOKING_NOT_ACCESSIBLE',
    });
  });

  it('says that a host asked for it, also for another home', async () => {
    const [id, other] = [await one(), await listing()];
    await updateListing(s.owner, other.id, { full_rate: 3 * night });
    const { payment_expires_at } = (await change(id, { listing_id: other.id }, s.owner)).change;
    expect(payment_expires_at).toBe(new Date(s.clock.now() + 24 * hour).toISOString());
    expect(await shown(id)).toMatchObject({
      listing_id: other.id,
      difference: 4 * night,
      payment_expires_at,
      asked_by: 'host',
    });
  });

  it('is gone once it is paid', async () => {
    const id = await one();
    await change(id);
    await s.decide(await pendingOf(id), 'success');
    expect(await getBooking(s.guest, id)).toMatchObject({ nights: 3, pending_change: null });
  });

  it('is gone once its page has failed', async () => {
    const id = await one();
    await change(id);
    await s.decide(await pendingOf(id), 'failure');
    expect(await shown(id)).toBeNull();
  });

  it('is gone with its time, although no worker ran', async () => {
    const id = await one();
    await change(id);
    s.clock.advance(15 * minute - 1);
    expect(await shown(id)).not.toBeNull();
    s.clock.advance(1);
    expect(await shown(id)).toBeNull();
    expect(await pendingOf(id)).toEqual(expect.any(Number));
  });

  it('is the one that took its place', async () => {
    const id = await one();
    const first = await change(id);
    const second = await change(id, { check_out_date: '2027-02-08' });
    expect(second.change.payment_url).not.toBe(first.change.payment_url);
    expect(await shown(id)).toMatchObject({ nights: 4, payment_url: second.change.payment_url });
    await change(id, { check_out_date: '2027-02-06' });
    expect(await shown(id)).toBeNull();
  });

  it('takes the place of one that is forgotten; of two at once the first is given up', async () => {
    const home = await s.listing({
      ...{ refund_rule: 'Full refund until check-in', maximum_guest: 6 },
      ...{ guest_included_in_rate: 2, extra_adult_rate: 100_000 },
    });
    const id = await one(home);
    await change(id, { guest_number: 3 });
    // Its order has expired.
    await s.deps.table.transact([remove(OrderEntity, { order_id: await pendingOf(id) })]);
    let between = 0;
    const meanwhile = async () => {
      await change(id, { guest_number: 4 });
      between = await pendingOf(id);
    };
    await change(id, { guest_number: 5 }, interrupted(s.guest, meanwhile));
    expect(await pendingOf(id)).not.toBe(between);
    expect((await s.order(between)).order).toMatchObject({ state: 'RELEASED' });
  });

  it('has the same page when its caller asks for the same again, until it can no longer be paid', async () => {
    const home = await listing();
    const id = await one(home);
    const first = await change(id);
    const pending = await pendingOf(id);
    s.clock.advance(10 * minute);
    expect(await change(id)).toEqual(first);
    const others = Array.from({ length: 5 }, () => change(id, { ...longer, guest_number: 2 }));
    for (const answer of await Promise.all(others)) expect(answer.change).toEqual(first.change);
    expect(await pendingOf(id)).toBe(pending);
    s.clock.advance(5 * minute);
    const second = await change(id);
    expect(second.change.payment_url).not.toBe(first.change.payment_url);
    await s.decide(await pendingOf(id), 'success');
    expect(await getBooking(s.guest, id)).toMatchObject({ nights: 3, pending_change: null });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
    expect((await auditListing(s.deps, home.id)).findings).toEqual([]);
  });

  it.each([
    ['another caller', () => ({}), () => s.owner],
    ['another party', () => ({ guest_number: 1 }), () => s.guest],
  ])('has another page for %s', async (_, given, by) => {
    const id = await one();
    const first = await change(id);
    const second = await change(id, { ...longer, ...given() }, by());
    expect(second.change.payment_url).not.toBe(first.change.payment_url);
    expect(await shown(id)).toMatchObject({ payment_url: second.change.payment_url });
  });

  it('has another page once its price is another', async () => {
    const home = await listing();
    const id = await one(home);
    const first = await change(id);
    await updateListing(s.owner, home.id, { full_rate: 2 * night });
    const second = await change(id);
    expect(second.change).toMatchObject({ difference: 2 * night });
    expect(second.change.payment_url).not.toBe(first.change.payment_url);
  });

  it('is charged by a token that comes later; its page is closed', async () => {
    const id = await one();
    await change(id);
    const pending = await pendingOf(id);
    expect(await change(id, { ...longer, payment_gateway_token: 'tok_ok' })).toMatchObject({ nights: 3 });
    expect((await s.order(pending)).order?.state).toBe('RELEASED');
  });

  it('is gone after a change that nothing is paid for', async () => {
    const id = await one();
    await change(id);
    await change(id, { guest_number: 1, charge_later: true }, s.owner);
    expect(await shown(id)).toBeNull();
  });

  it('is not shown where a change does not know of it, and would no longer be made', async () => {
    const id = await one();
    await change(id);
    const pending_change = await pendingOf(id);
    await change(id, { guest_number: 1 });
    const stay = (await s.order(orderIdOf(id))).reservations[0]!;
    await s.deps.table.transact([
      changeItem(ReservationEntity, stay, { set: { pending_change } }, { when: present() }),
    ]);
    expect(await shown(id)).toBeNull();
  });

  it.each([
    ['by the guest', () => s.guest],
    ['by the host', () => s.owner],
  ])('is gone once the booking is cancelled %s', async (_, by) => {
    const id = await one();
    await change(id);
    await cancelBooking(by(), id);
    expect(await shown(id)).toBeNull();
  });

  it('is gone after a check-in that no longer allows it', async () => {
    const id = await one();
    s.clock.advance(19 * 24 * hour + 12 * hour);
    await change(id, { check_in_date: '2027-02-03' }, s.owner);
    expect(await shown(id)).not.toBeNull();
    s.clock.advance(10 * hour);
    await moveBooking(s.owner, id, 'check_in');
    expect(await shown(id)).toBeNull();
  });

  it('is not shown while its token is charged: there is no page', async () => {
    const id = await one();
    s.wire.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await expect(change(id, { ...longer, payment_gateway_token: 'tok_ok' })).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    s.wire.fault = undefined;
    expect(await pendingOf(id)).toEqual(expect.any(Number));
    expect(await shown(id)).toBeNull();
  });

  it('of an order of several stays is the one whose page ends first; each stay shows its own', async () => {
    const [first, second, third] = await bookPaid(await listing(), await listing(), await listing());
    await change(first!, longer, s.owner);
    await change(second!);
    expect(await shown(orderIdOf(first!))).toMatchObject({ booking_id: second });
    expect(await shown(first!)).toMatchObject({ booking_id: first, asked_by: 'host' });
    expect(await shown(second!)).toMatchObject({ booking_id: second, asked_by: 'guest' });
    expect(await shown(third!)).toBeNull();
    s.clock.advance(15 * minute);
    expect(await shown(orderIdOf(first!))).toMatchObject({ booking_id: first });
  });
});

describe.runIf(countsUnits)('reading a booking', () => {
  it('takes 3 round trips; for a change that waits, and for other homes, one request more beside the others', async () => {
    const id = await one();
    const master = (await s.confirm([await listing(), await listing()], 'tok_ok')).master_reservation_id;
    const { client, rounds } = countingClient();
    const spent: Consumption[] = [];
    const counted = new Table({ client, tableName: await testTableName() });
    const table = counted.measured((consumption) => spent.push(consumption));
    const read = async (booking = id) => {
      rounds.made = 0;
      spent.length = 0;
      const { pending_change } = await getBooking({ ...s.guest, table }, booking);
      return { waits: pending_change !== null, trips: rounds.made, requests: spent.length };
    };
    const plain = await read();
    expect(plain).toEqual({ waits: false, trips: 3, requests: 5 });
    await change(id);
    expect(await read()).toEqual({ waits: true, trips: 3, requests: 6 });
    expect(await read(master)).toEqual({ waits: false, trips: 3, requests: 6 });
  });
});
