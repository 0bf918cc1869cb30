import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { cancelBooking } from '../../shared/domain/booking/index.ts';
import { sendMessage } from '../../shared/domain/chat/messages.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { findOrCreateUser } from '../../shared/domain/people/index.ts';
import { MembershipEntity } from '../../shared/domain/people/model.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { partnerData } from '../../shared/domain/webhook/partner-event.schema.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { deliveryWorker } from '../../shared/deliver-webhooks.ts';
import { type EventOf, type PublicEventType, publicEventTypes } from '../../shared/events.ts';
import { keyScopes, type UserCaller } from '../../shared/platform/auth.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { type Api, api, type Reply } from '../support/api.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import {
  goodRequest,
  ownRecords,
  partnerGroups,
  partnerRows,
  pathWith,
  stayRequest,
} from '../support/partner-rows.ts';
import { testContext, testKey } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

/** Names, numbers and addresses of the people of this test: of guests of others, of hosts, of customers. */
const hiddenGuest = { full_name: 'Lê Thị Kín', phone: '+84 999 888 777', email: 'kin@hidden.example' };
const marks = [
  ...Object.values(hiddenGuest),
  ...['Guest of A', 'guest-of-team-a@example.com', '+84901234567', '+84 901 234 567', 'Nguyễn Văn An'],
];
const marksIn = (text: string): string[] => marks.filter((mark) => text.includes(mark));

const posted: { headers: Record<string, string>; body: string }[] = [];

interface Partner {
  key: string;
  ids: World['ids'];
}

let service: Api;
let here: World;
let guestBooking: number;
let otherBooking: number;
let blind: Partner;
let seeing: Partner;

beforeAll(async () => {
  const post = async (_: string, request: { headers: Record<string, string>; body: string }) => {
    posted.push(request);
    return { status: 204 };
  };
  service = await api({ extra: partnerGroups(post) });
  const { provider } = service.deps;
  const logIn = provider.passwordLogin.bind(provider);
  provider.passwordLogin = async (login) => ({ ...(await logIn(login)), id_token: 'the token of a name' });
  here = await world(service);
  guestBooking = Number(here.ids['booking_id']);
  const other = await testKey(service.deps, { team_ids: [here.host.team] });
  const request = ExternalBookingRequest.parse(stayRequest(service, here, { guest_info: hiddenGuest }));
  otherBooking = (await bookExternally(testContext(service.deps, other.caller), request)).booking.id;
  await writeMessages(guestBooking);
  [blind, seeing] = [await partnerWith(false), await partnerWith(true)];
}, 60_000);

const partnerWith = async (isSeeing: boolean): Promise<Partner> => {
  const scopes = keyScopes.filter((scope) => isSeeing || scope !== 'personal');
  const { api_key, caller } = await testKey(service.deps, { team_ids: [here.host.team], scopes });
  return { key: api_key, ids: await ownRecords(service, caller, here) };
};

const personOf = async (token: string) => {
  const { user, memberships } = await findOrCreateUser(service.deps, token);
  const caller: UserCaller = {
    kind: 'user',
    ...user,
    subject: token,
    memberships: memberships.map(({ team_id, role }) => ({ team_id, role })),
  };
  return testContext(service.deps, caller);
};

/** Opens the thread of a booking, and lets guest and host write. */
const writeMessages = async (bookingId: number): Promise<void> => {
  const [created] = await eventsOf(service.deps.table, `ORDER#${orderIdOf(bookingId)}`);
  await openThreads(service.deps, [created as EventOf<'booking.created'>]);
  await sendMessage(await personOf(here.guest.token), bookingId, { text: 'When can we come?' });
  await sendMessage(await personOf(here.host.token), bookingId, { text: 'From two in the afternoon.' });
};

interface Called {
  id: string;
  reply: Reply;
  /** Addresses in the request. */
  sent: string[];
}

/** Calls every row with a key, those of a booking for each booking of others. */
const callAll = async ({ key, ids }: Partner): Promise<Called[]> => {
  const called: Called[] = [];
  for (const row of partnerRows) {
    const bookings = row.route.path.includes('{booking_id}') ? [guestBooking, otherBooking] : [guestBooking];
    for (const booking_id of bookings) {
      const asked = goodRequest(service, row, here);
      const path = pathWith(row.route, { ...here.ids, ...ids, booking_id });
      const reply = await service.call(row.route.method, path, { ...asked, key });
      const sent = row.route.scope === 'customers' ? JSON.stringify(asked.body ?? '') : '';
      called.push({ id: row.id, reply, sent: sent.match(/[\w.|-]+@[\w.-]+/g) ?? [] });
    }
  }
  return called;
};

const shown = ({ reply, sent }: Called): string[] => {
  const text = `${reply.text} ${JSON.stringify(reply.headers)}`;
  return [...marksIn(text), ...sent.filter((address) => text.includes(address))];
};

/** The rows that show a key with the scope `personal` more than its own guests. */
const personalRows = [
  'getCustomer',
  'getExternalBooking',
  'listCustomers',
  'listExternalBookings',
  'listExternalHistory',
  'listExternalMessages',
  'logInCustomer',
  'readEmailVerification',
  'readLoginStatus',
  'registerCustomer',
  'requestPasswordReset',
  'resendVerification',
  'updateCustomer',
];

/** Makes the guest a customer of the team again, which the last call has ended. */
const rejoin = () =>
  service.deps.table.transact([
    put(MembershipEntity, {
      ...{ user_id: Number(here.ids['user_id']), team_id: here.host.team },
      ...{ role: 'CUSTOMER', state: 'ACTIVE', created_at: '2027-01-15T03:00:00.000Z' },
    }),
  ]);

describe('answers', () => {
  let blindly: Called[];
  let seeingly: Called[];
  beforeAll(async () => {
    blindly = await callAll(blind);
    await rejoin();
    seeingly = await callAll(seeing);
  }, 60_000);

  it('are asked for at every row, of bookings that others made too', () => {
    expect(new Set(blindly.map(({ id }) => id))).toEqual(new Set(partnerRows.map(({ id }) => id)));
    const refused = blindly.filter(({ reply }) => reply.status >= 400).map(({ id }) => id);
    expect([...new Set(refused)].sort()).toEqual([
      'cancelExternalBooking',
      'changeExternalBooking',
      'correctExternalGuest',
      'previewExternalChange',
      'sendExternalMessage',
    ]);
    const list = blindly.find(({ id }) => id === 'listExternalBookings')!.reply.text;
    for (const id of [guestBooking, otherBooking]) expect(list).toContain(String(id));
  });

  it('show a name, number or address to a key with the scope', () => {
    const telling = seeingly.filter((one) => shown(one).length > 0).map(({ id }) => id);
    expect([...new Set(telling)].sort()).toEqual(personalRows);
  });

  it('show none to a key without it', () => {
    const telling = blindly.filter((one) => shown(one).length > 0).map((one) => [one.id, ...shown(one)]);
    expect(telling).toEqual([]);
  });
});

const read = async (key: string, path: string, query?: Record<string, string>): Promise<Reply> =>
  service.call('GET', `/api/v1/external/${path}`, { key, ...(query ? { query } : {}) });

const itemsOf = (reply: Reply) => (reply.body as { items: { id: number }[] }).items;

it('a verification link is not said to be mailed to an address', async () => {
  const row = partnerRows.find(({ id }) => id === 'registerCustomer')!;
  for (const { key, says } of [
    { key: blind.key, says: 'A verification link was mailed.' },
    {
      key: seeing.key,
      says: expect.stringMatching(/^A verification link was mailed to \S+@\S+\.$/) as string,
    },
  ]) {
    const asked = { ...goodRequest(service, row, here), key };
    const { user_id, message } = (await service.call('POST', row.route.path, asked)).body as {
      user_id: number;
      message: string;
    };
    const resend = `/api/v1/external/customers/${user_id}/resend-verification`;
    const again = (await service.call('POST', resend, { key })).body as { message: string };
    expect([message, again.message]).toEqual([says, says]);
  }
});

it('a login without the scope has no id token', async () => {
  const row = partnerRows.find(({ id }) => id === 'logInCustomer')!;
  const logIn = async ({ key }: Partner) =>
    (await service.call('POST', row.route.path, { ...goodRequest(service, row, here), key })).body as object;
  expect(await logIn(seeing)).toMatchObject({ id_token: 'the token of a name' });
  expect(await logIn(blind)).not.toHaveProperty('id_token');
});

it('a search by the guest is refused without the scope, whatever it would find', async () => {
  for (const q of [
    hiddenGuest.full_name,
    hiddenGuest.phone,
    hiddenGuest.email,
    'no one',
    String(otherBooking),
  ]) {
    const reply = await read(blind.key, 'bookings', { q });
    expect(reply.body, q).toMatchObject({ code: 'FORBIDDEN', details: { required_scope: 'personal' } });
  }
  const found = await read(seeing.key, 'bookings', { q: hiddenGuest.email });
  expect(itemsOf(found)).toMatchObject([{ id: otherBooking }]);
});

it('a key sees the guests of the bookings that it made, also after a rotation', async () => {
  const { key, caller } = await testKey(service.deps, {
    team_ids: [here.host.team],
    scopes: ['book'],
  });
  const guest_info = { full_name: 'Phan Văn Riêng', phone: '+84 988 111 222', email: 'rieng@own.example' };
  const request = ExternalBookingRequest.parse(stayRequest(service, here, { guest_info }));
  const { booking } = await bookExternally(testContext(service.deps, caller), request);
  const next = await testKey(service.deps, {
    team_ids: key.team_ids,
    scopes: ['book'],
    partner_key_id: key.partner_key_id,
  });
  const detail = await read(next.api_key, `bookings/${booking.id}`);
  expect(detail.body).toMatchObject({ guest_info, host_info: { phone: '+84901234567' } });
  const list = await read(next.api_key, 'bookings');
  expect(itemsOf(list).find(({ id }) => id === booking.id)).toMatchObject({ guest_info });
  expect(marksIn(list.text)).toEqual([]);
  const path = `/api/v1/external/bookings/${booking.id}/messages`;
  await service.call('POST', path, { key: next.api_key, body: { text: 'Until ten?' } });
  const messages = await read(next.api_key, `bookings/${booking.id}/messages`);
  expect(itemsOf(messages).at(-1)).toMatchObject({ sender_name: guest_info.full_name });
});

describe('events', () => {
  it('have no field for a name, number or address', () => {
    const namesIn = (schema: unknown): string[] =>
      typeof schema !== 'object' || schema === null
        ? []
        : Object.entries(schema).flatMap(([name, value]) => [
            ...(name === 'properties' ? Object.keys(value as object) : []),
            ...namesIn(value),
          ]);
    for (const type of publicEventTypes) {
      const fields = namesIn(z.toJSONSchema(partnerData[type]));
      expect(fields).toContain('id');
      expect(
        fields.filter((name) => /name|phone|mail|guest_info/.test(name)),
        type,
      ).toEqual([]);
    }
  });

  it('show none in webhooks and the feed', async () => {
    const { caller } = await testKey(service.deps, {
      team_ids: [here.host.team],
      scopes: ['read', 'webhooks'],
    });
    const ctx = testContext(service.deps, caller);
    const hook = { url: 'https://127.0.0.1:9/', event_types: [...publicEventTypes], description: null };
    const { id: webhook_id } = await createWebhook(ctx, hook, { local: true });
    await cancelBooking(await personOf(here.guest.token), guestBooking, 'Plans changed');
    const subjects = [guestBooking, otherBooking].flatMap((id) => [`ORDER#${orderIdOf(id)}`, `CHAT#${id}`]);
    const events = await Promise.all(subjects.map((subject) => eventsOf(service.deps.table, subject)));
    const deliveries = { send: async () => undefined };
    for (const event of events.flat())
      await appendEvent({ ...service.deps, deliveries }, event as EventOf<PublicEventType>);
    const queued = events.flat().map(({ id }) => ({ key_id: caller.key_id, webhook_id, event_id: id }));
    posted.length = 0;
    const post = async (_: string, request: (typeof posted)[number]) => {
      posted.push(request);
      return { status: 204 };
    };
    const given = {
      ...service.deps,
      post,
      signingClock: machineClock,
      lane: 'first',
      second: deliveries,
    } as const;
    await deliveryWorker(() => given)(queueEvent(...queued.map((message) => JSON.stringify(message))));
    const types = new Set(posted.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type));
    expect(types).toEqual(new Set(['booking.created', 'booking.cancelled', 'chat.message_created']));
    expect(marksIn(JSON.stringify(posted))).toEqual([]);
    const [feed, seen] = [await read(blind.key, 'events'), await read(seeing.key, 'events')];
    expect(itemsOf(feed).length).toBeGreaterThan(4);
    expect(marksIn(feed.text)).toEqual([]);
    expect(itemsOf(feed)).toEqual(itemsOf(seen));
  });
});
