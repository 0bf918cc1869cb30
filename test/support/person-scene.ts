import { inflateRawSync } from 'node:zlib';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { pageStays, ownerTeam, packStays } from '../../shared/domain/booking/booking-list.store.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { sendMessage } from '../../shared/domain/chat/messages.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { addToCart } from '../../shared/domain/checkout/cart.ts';
import { createQuote } from '../../shared/domain/checkout/quotes.ts';
import { takeTurn } from '../../shared/domain/notification/mail-turns.store.ts';
import { requestPasswordReset } from '../../shared/domain/people/password-reset.ts';
import { createReview, replyToReview } from '../../shared/domain/listing/reviews.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import type { EventOf } from '../../shared/events.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import type { PublicEvent } from '../../shared/domain/webhook/partner-event.schema.ts';
import { eventsOf } from './events.ts';
import { manyStays, storeStays } from './many-stays.ts';
import { key, ok, orderScene, stay } from './order-scene.ts';
import { tableDump } from './table-dump.ts';
import { freshId, testContext, testKey, testUser } from './table.ts';

/** What only this person has, and what was written by or about them. */
const personal = () => {
  const mark = String(freshId());
  return {
    full_name: `Đặng Thị Kín ${mark}`,
    phone: `+84 977 ${mark.slice(-3)} ${mark.slice(-6, -3)}`,
    email: `kin-${mark}@example.com`,
    note: `We come with grandmother ${mark}.`,
    reason: `My knee was operated ${mark}.`,
    comment: `Our room was cold ${mark}.`,
    reply: `Dear Kín, we are sorry ${mark}.`,
    question: `Is there a lift ${mark}?`,
    answer: `Dear Ms Kín, no lift ${mark}.`,
    birth: '1931-03-07',
  };
};

/**
 * A person with an account: a stay that is over with chat and review, a cancelled one, a cart, a quote, requests for mails,
 * a feed and a webhook of the team, and a booking that a partner made for the same address.
 */
export const personScene = async () => {
  const s = await orderScene();
  const { deps } = s;
  const marks = personal();
  const { full_name, phone, email } = marks;
  const { user, caller } = await testUser(deps, {
    ...{
      full_name,
      phone,
      email,
      date_of_birth: marks.birth,
      avatar_url: `https://pictures.example/${email}`,
    },
    memberships: [{ team_id: s.a.team_id, role: 'CUSTOMER' }],
  });
  deps.provider.add({ subject: caller.subject, email, full_name, phone });
  const me = { token: caller.subject };
  const asPerson = testContext(deps, caller);
  const host = await testUser(deps, { memberships: [{ team_id: s.a.team_id, role: 'OWNER' }] });
  const asHost = testContext(deps, host.caller);
  const partner = await testKey(deps, { team_ids: [s.a.team_id] });
  const asPartner = testContext(deps, partner.caller);
  const listing = await s.listing();
  const night = (days: number) => ({
    check_in_date: addDays('2027-02-01', days),
    check_out_date: addDays('2027-02-01', days + 1),
  });
  const hook = {
    url: 'https://127.0.0.1:9/',
    event_types: ['booking.cancelled' as const],
    description: null,
  };
  await createWebhook(
    asPartner,
    { ...hook, event_types: ['booking.cancelled', 'review.created'] },
    { local: true },
  );

  const book = async (days: number): Promise<number> => {
    const items = [stay(listing, night(days))];
    const body = { items, payment_method: 'CASH', note: marks.note, arrival_time: '21:00' };
    return ok(await s.confirm(me, body, key(`book-${days}`)), 201).reservations[0]!.id;
  };
  const over = await book(1);
  const cancelled = await book(3);
  ok(await s.cancel(me, cancelled, { reason: marks.reason }, key('cancel')));
  const external = ok(
    await s.bookOut(
      { key: partner.api_key },
      {
        ...stay(listing, night(5)),
        ...{
          nights: 1,
          payment_method: 'CASH',
          guest_info: { full_name, phone, email: email.toUpperCase() },
        },
      },
      key('external'),
    ),
    201,
  ).id;
  const [created] = await eventsOf(deps.table, `ORDER#${orderIdOf(over)}`);
  await openThreads(deps, [created as EventOf<'booking.created'>]);
  await sendMessage(asPerson, over, { text: marks.question });
  await sendMessage(asHost, over, { text: marks.answer });
  for (const id of [over, external]) await end(id);
  const review = await createReview(asPerson, over, { rating: 4, comment: marks.comment });
  await replyToReview(asHost, review.id, { text: marks.reply });
  await addToCart(asPerson, {
    listing_id: listing.id,
    ...{ check_in: '2027-03-01T14:00:00', check_out: '2027-03-02T12:00:00', guests: 2 },
  });
  await createQuote(asPartner, { items: [stay(listing, night(9))] });
  await requestPasswordReset(asPartner, { email });
  await takeTurn(deps, { once: 'mail', email, by: [`team:${s.a.team_id}`, `user:${user.user_id}`] });
  await blockTime(asHost, listing.id, { block_date: '2027-03-05', note: `Call ${phone} before` });
  for (const subject of [
    ...[over, cancelled, external].map((id) => `ORDER#${orderIdOf(id)}`),
    `REVIEW#${review.id}`,
  ])
    for (const event of await eventsOf(deps.table, subject))
      await appendEvent(
        { ...deps, deliveries: { send: async () => undefined } },
        event as unknown as PublicEvent,
      );
  const others = manyStays({ team_id: s.a.team_id, count: 60, until: deps.clock.now() - 1000 });
  await storeStays(others);
  await packStays(deps, [over]);

  async function end(id: number): Promise<void> {
    const ids = { order_id: orderIdOf(id), reservation_id: id };
    await deps.table.transact([
      change(ReservationEntity, ids, { set: { state: 'COMPLETED' } }, { when: present() }),
    ]);
  }
  return {
    ...s,
    ...{ marks, user, me, listing, review, end, book, asPerson, asHost, host, partner },
    bookings: { over, cancelled, external },
    /** Bookings of the team that a search for the person's name finds. */
    found: async (q: string) =>
      (await pageStays(deps, [ownerTeam(s.a.team_id)], { q }, { page: 1, limit: 100 })).items.length,
  };
};
export type PersonScene = Awaited<ReturnType<typeof personScene>>;

/** Returns the keys of all items in which one of the texts stands, in any case; compressed answers are unpacked. */
export const itemsWith = async (texts: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const [at, item] of await tableDump()) {
    const { packed, entity } = item as { packed?: { B?: Uint8Array }; entity?: { S?: string } };
    const unpacked =
      packed?.B && entity?.S === 'IdempotencyRecord' ? inflateRawSync(packed.B).toString() : '';
    const text = `${JSON.stringify(item)}${unpacked}`.toLowerCase();
    if (texts.some((one) => text.includes(one.toLowerCase()))) found.push(`${entity?.S} ${at}`);
  }
  return found.sort();
};
