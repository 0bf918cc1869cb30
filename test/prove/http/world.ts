import type { Ready } from '../../../infra/local/ready.ts';
import { exampleIds } from '../../../shared/platform/http/example-records.ts';
import { addDays, today } from '../../../shared/platform/time/time.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  type Call,
  callerOf,
  type Credentials,
  keyOf,
  mailsOf,
  type Request,
  signIn,
  signUpMany,
} from './client.ts';

export interface Home {
  id: number;
  parent_listing_id: number | null;
  team_id: number;
}

/** The callers and listings of a storm. */
export interface World {
  ready: Ready;
  call: Call;
  partner: Credentials;
  host: Credentials;
  guest: Credentials;
  /** Several guests, so that no storm exceeds one guest's rate limit. */
  guests: Credentials[];
  /** Homes without family. */
  lone: Home[];
  /** A parent with its children. */
  parent: Home;
  children: Home[];
  /** Returns a date that no other storm uses. */
  date: (daysAhead: number) => string;
}

const zone = 'Asia/Ho_Chi_Minh';

export const enter = async (ready: Ready, guestCount: number): Promise<World> => {
  const call = callerOf(ready);
  const partner = keyOf(ready);
  const listed = await call(partner, { method: 'GET', path: '/api/v1/external/listings?limit=100' });
  const [guest, guests] = await Promise.all([signIn(ready, ready.demo.guest), signUpMany(ready, guestCount)]);
  const host = await ownerOf(ready, listed.json['items'] as Home[]);
  // The homes of the documentation's examples have stays, blocks and locks of their own.
  const ofExamples: readonly number[] = [exampleIds.listing, exampleIds.lakeHouse, exampleIds.draft];
  const homes = (listed.json['items'] as Home[]).filter(({ id }) => !ofExamples.includes(id));
  const childrenOf = (id: number) => homes.filter(({ parent_listing_id }) => parent_listing_id === id);
  const parent = homes.find(({ id }) => childrenOf(id).length >= 3);
  if (!parent) throw new Error('the demo has no parent with three children');
  const isLone = ({ id, parent_listing_id }: Home) =>
    parent_listing_id === null && childrenOf(id).length === 0;
  // Warm-up: the first requests of a process compile its code.
  await Promise.all(guests.map((who) => call(who, { method: 'GET', path: '/api/v1/bookings/my' })));
  return {
    ready,
    call,
    partner,
    host,
    guest,
    guests,
    lone: homes.filter(isLone),
    parent,
    children: childrenOf(parent.id),
    date: (daysAhead) => addDays(today(systemClock.now(), zone), daysAhead),
  };
};

/** Signs in the demo host as an owner of every team of the key: the second demo host, who has the other teams, invites. */
const ownerOf = async (ready: Ready, homes: readonly Home[]): Promise<Credentials> => {
  const call = callerOf(ready);
  const { email } = ready.demo.host;
  const other = await signIn(ready, { email: 'minh@nightlatch.example', password: 'Minh-2027' });
  const host = await signIn(ready, ready.demo.host);
  const teams = new Set(homes.map(({ team_id }) => team_id));
  teams.delete(ready.demo.team_id);
  const secrets = async () =>
    (await mailsOf(ready)).flatMap(({ to, links }) =>
      to === email ? links.flatMap((link) => link.split('/invitation#')[1] ?? []) : [],
    );
  const before = await secrets();
  for (const team of teams)
    await succeed(call, other, {
      method: 'POST',
      path: '/api/v1/team/members',
      headers: { 'X-Team-ID': String(team) },
      body: { email, role: 'OWNER' },
    });
  const mailed = async () => (await secrets()).filter((secret) => !before.includes(secret));
  await waitUntil('the invitations come', async () => (await mailed()).length === teams.size);
  for (const secret of await mailed())
    await succeed(call, host, { method: 'POST', path: `/api/v1/invitations/${secret}/accept` });
  return untilOwner(ready, teams);
};

/** Only a token of a later second than the acceptance has the role. */
const untilOwner = async (ready: Ready, teams: ReadonlySet<number>): Promise<Credentials> => {
  const call = callerOf(ready);
  let host: Credentials = {};
  const isOwner = async (team: number) =>
    (
      await call(host, {
        method: 'GET',
        path: '/api/v1/team/members',
        headers: { 'X-Team-ID': String(team) },
      })
    ).status === 200;
  await waitUntil('the host is an owner', async () => {
    host = await signIn(ready, ready.demo.host);
    return (await Promise.all([...teams].map(isOwner))).every(Boolean);
  });
  return host;
};

const succeed = async (call: Call, who: Credentials, request: Request): Promise<void> => {
  const { status, text } = await call(who, request);
  if (status >= 300) throw new Error(`${request.path}: ${status} ${text}`);
};

export const night = (listing: Pick<Home, 'id'>, check_in_date: string, nights = 1) => ({
  listing_id: listing.id,
  check_in_date,
  check_out_date: addDays(check_in_date, nights),
  guest_number: 1,
});

/** The body of an external booking of one stay. */
export const externalStay = (listing: Pick<Home, 'id'>, date: string, nights = 1) => ({
  ...night(listing, date, nights),
  nights,
  guest_info: { full_name: 'Phạm Gió', phone: '+84 906 000 000', email: 'gio@storm.example' },
  payment_method: 'CASH',
});

export interface Entry {
  id: number;
  state: string;
  start_at: string;
  end_at: string;
  reservation_id: number | null;
}

/** Returns the host's view of a listing's calendar in a range of dates. */
export const entriesOf = async (
  { call, host }: World,
  listing: Pick<Home, 'id'>,
  from: string,
  to = from,
): Promise<Entry[]> => {
  const reply = await call(host, {
    method: 'GET',
    path: `/api/v1/listing-availability/listings/${listing.id}?start_date=${from}&end_date=${to}`,
  });
  if (reply.status !== 200) throw new Error(`the calendar of ${listing.id}: ${reply.status} ${reply.text}`);
  const entries = reply.json as unknown as Entry[];
  // The previous night ends on the morning of `from` and belongs to another storm.
  return entries.filter(({ start_at }) => start_at.slice(0, 10) >= from);
};
