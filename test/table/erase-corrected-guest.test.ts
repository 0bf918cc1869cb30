import { beforeEach, describe, expect, test } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { cancelBooking } from '../../shared/domain/booking/index.ts';
import { correctGuest } from '../../shared/domain/booking/correct-guest.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { readReservation } from '../../shared/domain/booking/model.ts';
import type { EventType } from '../../shared/events.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { queueEvent } from '../support/events.ts';
import { interrupted, interruptedTable, writing } from '../support/interrupted.ts';
import { type MailScene, mailScene } from '../support/mail-scene.ts';
import { answerOf, playOperator } from '../support/operator.ts';
import { itemsWith } from '../support/person-scene.ts';

const phone = '+84 977 123 987';

/** Of each test alone: the table is that of all. */
let mark: string;
let wrong: string;
let right: string;
let s: MailScene;
let id: number;
beforeEach(async () => {
  s = await mailScene({ guest: 'en', host: 'en', account: false });
  id = await s.book();
  mark = `quixotewicz-${id}`;
  [wrong, right] = [`mistyped-${mark}@example.com`, `right-${mark}@example.com`];
  await correctGuest(s.asOwner, id, { guest_info: { email: wrong, full_name: mark } });
});
const deliver = async (type: EventType) => {
  const worker = notificationWorker(() => ({
    ...s.deps,
    mailer: s.mailer,
    pages: 'https://stay.example.com',
  }));
  expect(await worker(queueEvent(await s.eventOf(id, type)))).toEqual({ batchItemFailures: [] });
};
const erase = (email: string, table = s.deps.table) =>
  playOperator({ ...s.deps, table }, ['person', 'erase', '--email', email]);
const traces = () => itemsWith([mark]);
const guests = async () => {
  const order = await s.deps.table.get(OrderEntity, { order_id: orderIdOf(id) });
  return [order?.guest?.full_name, (await readReservation(s.deps.table, id))?.guest.full_name];
};

describe('a guest whose address was corrected', () => {
  test('is erased by the new address; of the old one only traces of its mails are left, which an erasure by it removes', async () => {
    await deliver('booking.created');
    await correctGuest(s.asOwner, id, { guest_info: { email: right } });
    await deliver('booking.guest_updated');
    const kinds = (await itemsWith([wrong])).map((at) => at.split(' ')[0]);
    expect([...new Set(kinds)]).toEqual(['HandledEvent']);
    await cancelBooking(s.asOwner, id);
    answerOf(await erase(wrong));
    expect(await itemsWith([wrong])).toEqual([]);
    expect(await guests()).toEqual([mark, mark]);
    answerOf(await erase(right));
    expect(await traces()).toEqual([]);
  });

  test('is erased although a host corrects the booking between the writes of the erasure', async () => {
    await cancelBooking(s.asOwner, id);
    const table = interruptedTable(s.deps.table, writing('Reservation'), () =>
      correctGuest(s.asOwner, id, { guest_info: { phone, email: right } }),
    );
    answerOf(await erase(wrong, table));
    expect(await guests()).toEqual(['[erased]', '[erased]']);
    expect(await traces()).toEqual([]);
  });

  test('is not written again by a correction that had read the booking before the erasure', async () => {
    await cancelBooking(s.asOwner, id);
    const ctx = interrupted(s.asOwner, async () => answerOf(await erase(wrong)));
    await expect(correctGuest(ctx, id, { guest_info: { phone, email: right } })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await guests()).toEqual(['[erased]', '[erased]']);
    expect(await traces()).toEqual([]);
  });
});

test('of two corrections and a cancellation at once, stay and order have each field', async () => {
  const second = () => correctGuest(s.asOwner, id, { guest_info: { phone } });
  const cancelled = interrupted(s.asOwner, () => cancelBooking(s.asOwner, id));
  await correctGuest(interrupted(cancelled, second), id, { guest_info: { email: right } });
  const stay = await readReservation(s.deps.table, id);
  expect(stay).toMatchObject({ state: 'CANCELLED', guest: { phone, email: right } });
  const order = await s.deps.table.get(OrderEntity, { order_id: orderIdOf(id) });
  expect(order?.guest).toEqual(stay?.guest);
});
