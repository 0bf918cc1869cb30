import { beforeEach, expect, it } from 'vitest';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { openThreads, sendMessage } from '../../shared/domain/chat/index.ts';
import { readEvents, readTeamEvents } from '../../shared/domain/webhook/index.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import type { DeliveryMessage } from '../../shared/domain/webhook/delivery.store.ts';
import { SubscriberEntity } from '../../shared/domain/webhook/webhook.store.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { bookStay, eventsOf } from '../support/events.ts';
import { groupCalls } from '../support/group-calls.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { freshId, testContext, testKey } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
let key: PartnerCaller;
let calls: ReturnType<typeof groupCalls<(typeof externalRoutes)['routes']>>;
let sent: DeliveryMessage[];
/** A stay of a platform, and one that a guest has booked here. */
let [platforms, ours] = [0, 0];

beforeEach(async () => {
  s = await platformScene();
  key = (await testKey(s.deps, { team_ids: [s.team_id] })).caller;
  calls = groupCalls(
    external(() => s.deps),
    externalRoutes,
  );
  sent = [];
  s.publish(sold('a', '2027-02-04', '2027-02-07'), sold('b', '2027-03-01', '2027-03-03', 'Blocked'));
  await s.followAs({ label: 'Airbnb' });
  platforms = await s.adopt({ external_booking_id: 'HMABC' });
  const night = { listing_id: s.listing.id, check_in_date: '2027-02-10', check_out_date: '2027-02-12' };
  ours = (await bookStay(s.asGuest, night)).booking_id;
});

const deliver = async (...bookingIds: number[]): Promise<void> => {
  const deliveries = {
    waiting: async () => 0,
    send: async (messages: readonly DeliveryMessage[]) => void sent.push(...messages),
  };
  for (const id of bookingIds)
    for (const event of [
      ...(await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`)),
      ...(await eventsOf(s.deps.table, `CHAT#${id}`)),
    ])
      await appendEvent({ ...s.deps, deliveries }, event as never);
};
const refusedAt = (id: number) =>
  Promise.all(
    (['getExternalBooking', 'listExternalHistory', 'getExternalCancellation'] as const).map((verb) =>
      calls.refusal(key, verb, { params: { booking_id: id } }),
    ),
  );

it('a partner has no stay of another platform in its lists, whatever it asks for', async () => {
  for (const query of [
    {},
    { state: 'CONFIRMED' },
    { payment_status: 'PAID' },
    { external_booking_id: 'HMABC' },
  ]) {
    const { items } = await calls.ok(key, 'listExternalBookings', { query: query });
    expect(items.map(({ id }) => id)).not.toContain(platforms);
  }
  const { items, total } = await calls.ok(key, 'listExternalBookings', { query: {} });
  expect([items.map(({ id }) => id), total]).toEqual([[ours], 1]);
  const { items: own } = await s.desk.ok(s.host, 'listTeamBookings', { query: { payment_status: 'PAID' } });
  expect(own.map(({ id }) => id)).toContain(platforms);
});

it('nor finds it by its id, with any scope, while its time is taken', async () => {
  for (const refusal of await refusedAt(platforms))
    expect(refusal).toMatchObject({ status: 404, code: 'EXTERNAL_BOOKING_NOT_ACCESSIBLE' });
  const asked = { params: { booking_id: platforms }, body: { guest_number: 1 } };
  const trusted = { ...key, scopes: ['personal', 'book'] } as PartnerCaller;
  expect(await calls.refusal(trusted, 'getExternalBooking', { params: asked.params })).toMatchObject({
    status: 404,
  });
  expect(await s.stayChanges.refusal(key as never, 'changeExternalBooking', asked)).toMatchObject({
    code: 'EXTERNAL_BOOKING_NOT_ACCESSIBLE',
  });
  await calls.ok(key, 'getExternalBooking', { params: { booking_id: ours } });
});

it('nor gets an event of it, in its feed or by a webhook; members of the team get both', async () => {
  const ids = { webhook_id: freshId(), key_id: key.key_id };
  const types = [
    'booking.created',
    'chat.message_created',
    'booking.cancelled',
    'booking.charged',
    'payment.refunded',
  ];
  await s.deps.table.put(
    put(SubscriberEntity, { ...ids, team_id: s.team_id, team_ids: [s.team_id], event_types: types } as never),
  );
  await openThreads(s.deps, (await eventsOf(s.deps.table, `ORDER#${orderIdOf(platforms)}`)) as never);
  await sendMessage(testContext(s.deps, s.host), platforms, { text: 'Welcome' });
  await s.desk.ok(s.host, 'addCharge', {
    params: { booking_id: platforms },
    body: { label: 'Minibar', amount: 60_000 },
  });
  s.publish(sold('b', '2027-03-01', '2027-03-03', 'Blocked'));
  for (let fetch = 0; fetch < 2; fetch++) await s.next();
  await deliver(platforms, ours);
  const feed = await readEvents(s.deps, { after: undefined, limit: 100, teams: [s.team_id] });
  expect(new Set(feed.items.map(({ data }) => data.id))).toEqual(new Set([ours]));
  expect(sent).toHaveLength(1);
  const own = await readTeamEvents(testContext(s.deps, s.host), { after: undefined, limit: 100 });
  expect(own.items.filter(({ data }) => data.id === platforms).map(({ event_type: type }) => type)).toEqual([
    'booking.created',
    'booking.charged',
    'booking.cancelled',
    'payment.refunded',
  ]);
  const ofChat = own.items.filter(({ data }) => data['booking_id'] === platforms);
  expect(ofChat.map(({ data }) => data['sender_type'])).toEqual(['HOST']);
  // A page may have had theirs alone: its cursor leads on.
  const found: number[] = [];
  for (let [after, isMore] = [undefined as string | undefined, true]; isMore;) {
    const page = await readEvents(s.deps, { after, limit: 1, teams: [s.team_id] });
    found.push(...page.items.map(({ data }) => data.id));
    expect(page.has_more && page.next_cursor === after).toBe(false);
    [after, isMore] = [page.next_cursor, page.has_more];
  }
  expect(found).toEqual([ours]);
});

it('is said by the time that it takes, when it moves, and when its host has it and cancels it', async () => {
  const times = async () =>
    (await eventsOf(s.deps.table, `LISTING#${s.listing.id}`))
      .filter(({ event_type: type }) => type === 'availability.changed')
      .map(({ data }) => `${String(data['start_at']).slice(5, 10)} ${String(data['end_at']).slice(5, 10)}`);
  const march = sold('b', '2027-03-01', '2027-03-03', 'Blocked');
  s.publish(sold('a', '2027-02-20', '2027-02-22'), march);
  await s.next();
  expect(await times()).toEqual(expect.arrayContaining(['02-04 02-07', '02-20 02-22']));
  await s.unfollow((await s.list())[0]!.id);
  await s.next();
  const before = (await times()).filter((time) => time === '02-20 02-22').length;
  await s.desk.ok(s.host, 'cancelBooking', { params: { booking_id: platforms } });
  expect((await times()).filter((time) => time === '02-20 02-22')).toHaveLength(before + 1);
});
