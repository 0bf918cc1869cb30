import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { playJourney } from '../../infra/release/journey.ts';
import { projectRoot } from '../../infra/bundling.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { waitUntil } from '../support/wait-until.ts';
import { account } from './emulator.ts';
import { applications, audience, type Neighbours } from './neighbours.ts';
import { stage } from './stage.ts';

type Json = Record<string, unknown>;

/** How long an event may take through stream, bus and queue. */
const patienceMs = 60_000;
const password = 'Rehearsal-2027';
const stayDate = addDays(new Date(performance.timeOrigin).toISOString().slice(0, 10), 40);
const stay = { check_in_date: stayDate, check_out_date: addDays(stayDate, 1), guest_number: 2 };

export interface Scene {
  /** The address of the API without a trailing slash. */
  api: string;
  endpoint: string;
  neighbours: Neighbours;
  /** Runs a step; an error of it has the name. */
  step: <Result>(what: string, play: () => Promise<Result>) => Promise<Result>;
}

/** Runs a command of the operator's tool on the stage. */
export const operate = async ({ api }: Scene, ...given: string[]): Promise<Json> => {
  const tool = [`${projectRoot}/bin/operator.ts`, ...given, '--stage', stage];
  const env = { ...process.env, API_URL: api, OPERATOR: 'rehearsal' };
  const { stdout } = await promisify(execFile)(process.execPath, tool, { env });
  return JSON.parse(stdout) as Json;
};

interface Asked {
  token?: string;
  key?: string;
  body?: object;
  status?: number;
}

/** Asks the API, and throws what it has answered unless it has the status. */
const asking =
  ({ api }: Scene) =>
  async (method: string, path: string, { token, key, body, status = 200 }: Asked = {}): Promise<Json> => {
    const reply = await fetch(`${api}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status !== status) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`);
    return (text.startsWith('{') ? JSON.parse(text) : { text }) as Json;
  };
type Ask = ReturnType<typeof asking>;

/** Signs a person in at the identity provider. */
const signIn = async (
  { neighbours }: Scene,
  email: string,
  client: (typeof applications)[keyof typeof applications],
): Promise<string> => {
  const { identity } = neighbours;
  if (!identity.findUserByEmail(email))
    await identity.createUser({ email, password, full_name: 'Trần Thị Bình', email_verified: true });
  const reply = await fetch(`${identity.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ grant_type: 'password', username: email, password, audience, ...client },
      scope: 'openid profile email',
    }),
  });
  const { access_token, ...rest } = (await reply.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token for ${email}: ${JSON.stringify(rest)}`);
  return access_token;
};

/** Waits for a mail to an address that has a text, and returns it. */
const mailTo = async ({ endpoint }: Scene, address: string, text: string): Promise<string> => {
  let found: string | undefined;
  await waitUntil(
    `${address} has a mail with ${text}`,
    async () => {
      const reply = await fetch(`${endpoint}/_ministack/ses/messages?account=${account}`);
      const { messages } = (await reply.json()) as {
        messages: Record<string, { To: string[]; BodyText: string }[]>;
      };
      found = messages[account]?.find(
        ({ To, BodyText }) => To.includes(address) && BodyText.includes(text),
      )?.BodyText;
      return found !== undefined;
    },
    patienceMs,
  );
  return found ?? '';
};

const hostAddress = 'host@rehearsal.example.com';
const guestAddress = 'guest@rehearsal.example.com';

export interface House {
  team_id: number;
  listing_id: number;
  api_key: string;
}

/** The operator makes a team and invites its host, who accepts by the mailed link, lists a home and makes a key. */
export const playHost = async (scene: Scene): Promise<House> => {
  const { step } = scene;
  const ask = asking(scene);
  const team_id = await step('the operator makes a team', async () =>
    Number((await operate(scene, 'team', 'create', '--name', 'Rehearsal'))['team_id']),
  );
  await step('the operator invites a host', () =>
    operate(scene, 'member', 'add', '--team', String(team_id), '--email', hostAddress, '--role', 'OWNER'),
  );
  const secret = await step('the invitation is mailed', async () => {
    const [, token = ''] = /invitation#([\w-]+)/.exec(await mailTo(scene, hostAddress, 'invitation#')) ?? [];
    return token;
  });
  await step('the host accepts', async () => {
    const token = await signIn(scene, hostAddress, applications.hosts);
    await ask('POST', `/api/v1/invitations/${secret}/accept`, { token, body: {} });
    // A token names the second in which it was issued: one of this second may be older than the membership.
    await pause(1000);
  });
  const token = await signIn(scene, hostAddress, applications.hosts);
  const listing_id = await step('the host lists a home', async () => {
    const body = {
      ...{ name: 'Nhà tập dượt', listing_type: 'ENTIRE_PLACE', property_type: 'villa', capacity: 4 },
      ...{ address: '12 Trần Hưng Đạo', province_code: 'LD', latitude: 11.94, longitude: 108.44 },
      ...{ full_rate: 1_000_000, state: 'ACTIVE' },
    };
    return Number((await ask('POST', '/api/v1/listings', { token, body, status: 201 }))['id']);
  });
  const api_key = await step('the host makes a key', async () => {
    const body = { name: 'partner', scopes: ['read', 'book', 'personal'] };
    return String((await ask('POST', '/api/v1/team/keys', { token, body, status: 201 }))['api_key']);
  });
  return { team_id, listing_id, api_key };
};

/** A partner books and cancels, as after a release. */
export const playPartner = ({ api, step }: Scene, { api_key }: House, commit?: string): Promise<void> =>
  step('the journey of a partner', () => playJourney({ api, apiKey: api_key, commit, patienceMs }));

/** Asks without a credential, with a wrong one and for nothing: the gateway answers in the form of every error. */
export const playStranger = async ({ api, step }: Scene): Promise<void> => {
  const refusals: [string, Record<string, string>, number, string][] = [
    ['/api/v1/bookings', {}, 401, 'UNAUTHORIZED'],
    ['/api/v1/bookings', { authorization: 'Bearer nothing' }, 401, 'UNAUTHORIZED'],
    ['/api/v1/external/listings', { 'x-api-key': 'nothing' }, 401, 'UNAUTHORIZED'],
    ['/api/v1/nothing', {}, 404, 'NOT_FOUND'],
  ];
  await step('the gateway refuses as documented', async () => {
    for (const [path, headers, status, code] of refusals) {
      const reply = await fetch(`${api}${path}`, { headers });
      const text = await reply.text();
      const body = JSON.parse(text) as Json;
      if (reply.status !== status || body['code'] !== code || typeof body['request_id'] !== 'string')
        throw new Error(`GET ${path} ${JSON.stringify(headers)}: ${reply.status} ${text}`);
    }
  });
};

/** Finds the home by the search, once its index has it. */
const findHome = async (ask: Ask, token: string, { listing_id }: House): Promise<void> => {
  const { check_in_date, check_out_date } = stay;
  const query = `check_in=${check_in_date}&check_out=${check_out_date}&guests=2&location=11.94,108.44`;
  const isFound = async () => {
    const { items } = await ask('GET', `/api/v1/search?${query}`, { token });
    return (items as { id: number }[]).some(({ id }) => id === listing_id);
  };
  await waitUntil('the search finds the home', isFound, patienceMs);
};

/** A guest finds the home, books it, pays at the gateway's page, writes, cancels, and has the money back. */
export const playGuest = async (scene: Scene, house: House): Promise<void> => {
  const { step, neighbours } = scene;
  const { payments } = neighbours;
  const ask = asking(scene);
  const token = await step('the guest signs in', () => signIn(scene, guestAddress, applications.guests));
  const host = await signIn(scene, hostAddress, applications.hosts);
  await step('the guest finds the home', () => findHome(ask, token, house));
  const order = { items: [{ listing_id: house.listing_id, ...stay }], currency: 'VND' };
  await step('the guest previews the price', () =>
    ask('POST', '/api/v1/checkout/preview', { token, body: order }),
  );
  const body = { ...order, payment_method: 'ONLINE_GATEWAY' };
  const booked = await step('the guest books', () =>
    ask('POST', '/api/v1/checkout/confirm', { token, body, status: 201 }),
  );
  const id = (booked['reservations'] as { id: number }[])[0]?.id;
  const read = () => ask('GET', `/api/v1/bookings/${id}`, { token });
  const becomes = (what: string, field: string, value: string) =>
    waitUntil(what, async () => (await read())[field] === value, patienceMs);
  await step('the guest pays', async () => {
    await ask('GET', payments.pay(String(booked['payment_url'])));
    await becomes('the booking is paid', 'payment_status', 'PAID');
  });
  await step('the guest has a mail', () => mailTo(scene, guestAddress, String(id)));
  await step('guest and host write', async () => {
    const threads = async () => (await ask('GET', '/api/v1/chats', { token }))['items'] as { id: number }[];
    await waitUntil('there is a thread', async () => (await threads()).length > 0, patienceMs);
    const path = `/api/v1/chats/${(await threads())[0]?.id}/messages`;
    await ask('POST', path, { token, body: { text: 'Xin chào' }, status: 201 });
    await ask('POST', path, { token: host, body: { text: 'Chào bạn' }, status: 201 });
  });
  await step('the host sees the day', () => ask('GET', '/api/v1/today', { token: host }));
  await step('the guest cancels and is refunded', async () => {
    const before = payments.refunds.length;
    await ask('POST', `/api/v1/bookings/${id}/cancel`, { token, body: { reason: 'Rehearsal' } });
    await becomes('the booking is refunded', 'payment_status', 'REFUNDED');
    if (payments.refunds.length !== before + 1)
      throw new Error('VNPay was asked for another number of refunds.');
  });
};
