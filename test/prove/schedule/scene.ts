import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import { type Listing, ListingEntity } from '../../../shared/domain/listing/listing.entity.ts';
import { ListingSlugEntity } from '../../../shared/domain/listing/listing.store.ts';
import type { Caller } from '../../../shared/platform/auth.ts';
import { put, type Write } from '../../../shared/platform/table/index.ts';

/** The small scene of the schedules: many requests for few nights. */

export const start = Date.parse('2027-01-15T03:00:00.000Z');
export const softLockMs = 15 * 60_000;

/** A parent with three children, a home of another team, and one whose parent changes. */
export const homes = { parent: 10, one: 11, two: 12, three: 13, lone: 20, moved: 30 } as const;
export type HomeName = keyof typeof homes;
export const homeNames = Object.keys(homes) as HomeName[];

const children: HomeName[] = ['one', 'two', 'three'];
const teams = { house: 1, other: 2 };

export const homeOf = (id: number): string => homeNames.find((name) => homes[name] === id) ?? String(id);

export const isChild = (name: HomeName): boolean => children.includes(name);

const { view_count: _, ...example } = listingExample;

/** Returns a listing without parent or children. */
export const plainListing = (id: number, team_id: number, name: string): Listing => ({
  ...example,
  id,
  team_id,
  name,
  slug: name,
  commission_rate: 0.15,
  search_name: name,
  amenities: [],
  version: 1,
  parent_listing_id: null,
  child_listing_ids: [],
});

/** The hours after each stay that are taken too (D77). */
const preparation: Partial<Record<HomeName, number>> = { one: 3, lone: 1, moved: 20 };
export const preparationOf = (name: HomeName): number => preparation[name] ?? 0;

const listing = (name: HomeName): Listing => ({
  ...plainListing(homes[name], name === 'lone' ? teams.other : teams.house, name),
  allow_hourly_booking: true,
  price_per_hour: 100_000,
  min_hours: 1,
  flexible_check_out_time: '23:30:00',
  preparation_hours: preparationOf(name),
  parent_listing_id: isChild(name) ? homes.parent : null,
  child_listing_ids: name === 'parent' ? children.map((child) => homes[child]) : [],
});

/** Returns the writes that create a listing. */
export const listingWrites = (home: Listing): Write[] => [
  put(ListingEntity, home),
  put(ListingSlugEntity, { team_id: home.team_id, slug: home.slug, listing_id: home.id }),
];

export const sceneWrites = (): Write[] => homeNames.flatMap((name) => listingWrites(listing(name)));

export const person = (user_id: number, name: string, host = false): Caller => ({
  kind: 'user',
  user_id,
  subject: `auth0|${name}`,
  email: `${name}@example.com`,
  full_name: name,
  phone: '+84901234567',
  language: 'vi',
  email_verified: true,
  system_role: 'USER',
  memberships: host ? Object.values(teams).map((team_id) => ({ team_id, role: 'OWNER' as const })) : [],
});

export const callers = {
  an: person(1, 'an'),
  binh: person(2, 'binh'),
  host: person(3, 'host', true),
  partner: {
    kind: 'partner',
    key_id: 4,
    team_ids: Object.values(teams),
    collects_payment: false,
    rate_limit: null,
  },
} as const satisfies Record<string, Caller>;

export type Who = keyof typeof callers;

/** A stay that a guest may request: dates and times as in a request, and the local interval that they mean (D24). */
interface Slot {
  ask: { check_in_date: string; check_out_date: string; check_in_time?: string; check_out_time?: string };
  from: string;
  to: string;
}

const nights = (first: string, last: string): Slot => ({
  ask: { check_in_date: first, check_out_date: last },
  from: `${first}T14:00`,
  to: `${last}T12:00`,
});

const hours = (date: string, from: string, to: string): Slot => ({
  ask: {
    check_in_date: date,
    check_out_date: date,
    check_in_time: `${from}:00`,
    check_out_time: `${to}:00`,
  },
  from: `${date}T${from}`,
  to: `${date}T${to}`,
});

/** Nights around the end of a month, a day, and hours beside them. */
export const slots: readonly Slot[] = [
  nights('2027-01-31', '2027-02-01'),
  nights('2027-01-30', '2027-01-31'),
  nights('2027-02-01', '2027-02-02'),
  nights('2027-01-30', '2027-02-02'),
  nights('2027-01-31', '2027-02-02'),
  {
    ask: { check_in_date: '2027-01-31', check_out_date: '2027-01-31', check_out_time: '18:00:00' },
    from: '2027-01-31T09:00',
    to: '2027-01-31T18:00',
  },
  hours('2027-01-31', '12:00', '14:00'),
  hours('2027-01-31', '11:30', '12:30'),
  hours('2027-01-31', '20:00', '23:30'),
];

/** The intervals that a host may block. */
export const blocks = [
  { body: { block_date: '2027-01-31' }, from: '2027-01-31T00:00', to: '2027-02-01T12:00' },
  {
    body: { start_at: '2027-01-31T23:00:00', end_at: '2027-02-01T01:00:00' },
    from: '2027-01-31T23:00',
    to: '2027-02-01T01:00',
  },
  {
    body: { start_at: '2027-01-31T12:00:00', end_at: '2027-01-31T14:00:00' },
    from: '2027-01-31T12:00',
    to: '2027-01-31T14:00',
  },
  { body: { block_date: '2027-02-01' }, from: '2027-02-01T00:00', to: '2027-02-02T12:00' },
] as const;

const zero = Date.parse('2027-01-01T00:00Z');
const hourMs = 3_600_000;

/** Hours since the first of January, local time: a start rounded down, an end up (D25). */
export const hourSpan = ({ from, to }: { from: string; to: string }): { from: number; to: number } => ({
  from: Math.floor((Date.parse(`${from.slice(0, 16)}Z`) - zero) / hourMs),
  to: Math.ceil((Date.parse(`${to.slice(0, 16)}Z`) - zero) / hourMs),
});

export const hourText = (hour: number): string => new Date(zero + hour * hourMs).toISOString().slice(5, 13);

/** The first hour of a month that the calendar keeps. */
export const monthStart = (month: string): number => (Date.parse(`${month}-01T00:00Z`) - zero) / hourMs;
