import { afterAll, expect, test, vi } from 'vitest';
import { guestUrl } from '../../shared/domain/booking/index.ts';
import { readReservation } from '../../shared/domain/booking/model.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { ok, orderScene, stay, stopClock } from '../support/order-scene.ts';
import { itemsWith } from '../support/person-scene.ts';

afterAll(() => void vi.useRealTimers());

test('a guest who has neither account nor address is exported and erased by a booking', async () => {
  const s = await orderScene();
  const listing = await s.listing();
  const marks = { full_name: 'Zoltan Quixotewicz', phone: '+84 977 123 987' };
  const texts = ['quixotewicz', '977 123 987', 'allergic to zinnias'];
  const book = async (guest_info: object, nights: object) => {
    const body = { items: [stay(listing, nights)], guest_info, payment_method: 'CASH' };
    const reply = await s.call('POST', '/api/v1/bookings', { ...s.host, body });
    return ok<{ reservations: { id: number }[] }>(reply, 201).reservations[0]!.id;
  };
  const id = await book(marks, {});
  const other = await book(
    { ...marks, full_name: 'Another' },
    { check_in_date: '2027-02-20', check_out_date: '2027-02-21' },
  );
  const url = await guestUrl(s.deps, (await readReservation(s.deps.table, id))!, { from: 'm', pages: '' });
  const asked = { link: url!.split('#')[1]!, body: { text: 'I am allergic to zinnias' } };
  ok(await s.call('POST', '/api/v1/guest/messages', asked), 201);
  ok(await s.call('POST', '/api/v1/guest/cancel', { link: asked.link }));
  stopClock('2027-03-20T00:00:00.000Z');

  const run = (verb: string, booking: number) =>
    playOperator(s.deps, ['person', verb, '--booking', String(booking)]);
  const { records } = answerOf<{ records: Record<string, unknown[]> }>(await run('export', id));
  expect(Object.keys(records)).toEqual(expect.arrayContaining(['Order', 'Reservation', 'ChatMessage']));
  expect(records['Reservation']).toHaveLength(1);
  expect(await itemsWith(texts.slice(0, 1))).not.toEqual([]);
  expect(answerOf(await run('erase', id))).toMatchObject({ user_ids: [], left: [] });
  expect(await itemsWith([texts[0]!, texts[2]!])).toEqual([]);
  expect((await readReservation(s.deps.table, other))?.guest.full_name).toBe('Another');
  expect(refusalOf(await run('erase', 17)).code).toBe('NOT_FOUND');
});
