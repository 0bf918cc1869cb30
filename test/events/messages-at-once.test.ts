import { beforeEach, describe, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { ListMessagesQuery, ListThreadsQuery } from '../../shared/domain/chat/chat.schema.ts';
import { ChatMarkEntity } from '../../shared/domain/chat/chat.store.ts';
import {
  listExternalMessages,
  listMessages,
  markMailed,
  sendExternalMessage,
  sendMessage,
} from '../../shared/domain/chat/messages.ts';
import { listThreads } from '../../shared/domain/chat/threads.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { createReview, replyToReview } from '../../shared/domain/listing/reviews.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';
import { interrupted } from '../support/interrupted.ts';
import { freshId, testContext, testKey } from '../support/table.ts';

let s: Awaited<ReturnType<typeof eventScene>>;
beforeEach(async () => {
  s = await eventScene();
});

const dates = { check_in_date: '2027-02-04', check_out_date: '2027-02-07' };
const booked = () => bookStay(s.asGuest, { listing_id: s.listing.id, ...dates });
const ofList = ListMessagesQuery.parse({});

describe('a thread', () => {
  it('shows the last of two messages that are written at once', async () => {
    const { booking_id, created } = await booked();
    await chatWorker(() => s.deps)(queueEvent(created));
    const meanwhile = () => {
      s.deps.clock.advance(1000);
      return sendMessage(s.asOwner, booking_id, { text: 'Welcome.' });
    };
    await sendMessage(interrupted(s.asGuest, meanwhile), booking_id, { text: 'At 16:00.' });
    const { items } = await listMessages(s.asGuest, booking_id, ofList);
    const [thread] = (await listThreads(s.asGuest, ListThreadsQuery.parse({}))).items;
    expect(thread?.last_message.text).toBe(items.at(-1)?.text);
  });

  it('is opened once by two first messages of a partner', async () => {
    const { caller } = await testKey(s.deps, { team_ids: [s.team_id] });
    const partner = testContext(s.deps, caller);
    const request = ExternalBookingRequest.parse({
      listing_id: s.listing.id,
      guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
      ...dates,
      guest_number: 2,
      nights: 3,
      payment_method: 'CASH',
    });
    const { id } = (await bookExternally(partner, request)).booking;
    const write = (text: string, as = partner) => sendExternalMessage(as, id, { text });
    await write(
      'Second.',
      interrupted(partner, () => write('First.')),
    );
    const { items } = await listExternalMessages(partner, id, ofList);
    expect(items.map(({ sender_type }) => sender_type)).toEqual(['SYSTEM', 'PARTNER', 'PARTNER']);
    // The booking's own event comes later, and opens nothing again.
    const [created] = await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`);
    await chatWorker(() => s.deps)(queueEvent(created!));
    expect((await listExternalMessages(partner, id, ofList)).items).toEqual(items);
  });

  it.each([
    ['stays where it is', [20, 10], 20],
    ['moves forward', [10, 20], 20],
  ])('has a mark for what was mailed, which %s', async (_, mailed, until) => {
    const mark = { thread_id: freshId(), reader: 'user:1' };
    for (const one of mailed) await markMailed(s.deps.table, { ...mark, until: one });
    const kept = await s.deps.table.get(ChatMarkEntity, { ...mark, what: 'MAILED' as const });
    expect(kept?.until).toBe(until);
  });
});

describe('a review', () => {
  const stay = async () => {
    const { booking_id } = await booked();
    const ids = { order_id: orderIdOf(booking_id), reservation_id: booking_id };
    const completed = { set: { state: 'COMPLETED' as const } };
    await s.deps.table.transact([change(ReservationEntity, ids, completed, { when: present() })]);
    return booking_id;
  };
  const refused = { code: 'INVALID_STATE_TRANSITION' };

  it('is written once', async () => {
    const id = await stay();
    const review = (as = s.asGuest) => createReview(as, id, { rating: 5, comment: 'Quiet.' });
    await expect(review(interrupted(s.asGuest, () => review()))).rejects.toMatchObject(refused);
  });

  it('gets one reply', async () => {
    const { id } = await createReview(s.asGuest, await stay(), { rating: 5, comment: 'Quiet.' });
    const reply = (as = s.asOwner) => replyToReview(as, id, { text: 'Thank you.' });
    await expect(reply(interrupted(s.asOwner, () => reply()))).rejects.toMatchObject(refused);
  });
});
