import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { createListing } from '../../shared/domain/listing/create-listing.ts';
import { ListingCreate, type ListingUpdate } from '../../shared/domain/listing/listing-input.schema.ts';
import { ViewCounter } from '../../shared/domain/listing/listing-views.store.ts';
import type { ListingResponse } from '../../shared/domain/listing/listing.schema.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { getListing } from '../../shared/domain/listing/read-listings.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { put } from '../../shared/platform/table/index.ts';
import { freshId, testContext, type TestDependencies, testUser } from './table.ts';

/** A host's operations: listings created and changed by verbs, and time taken through the calendar. */
export const hostWorld = (deps: () => TestDependencies) => {
  const host = async (
    role: 'OWNER' | 'STAFF' = 'OWNER',
    team_id = freshId(),
  ): Promise<Context<UserCaller>> => {
    const { caller } = await testUser(deps(), { memberships: [{ team_id, role }] });
    return testContext(deps(), caller);
  };
  const guest = async () => testContext(deps(), (await testUser(deps())).caller);
  const create = (ctx: Context, given: Partial<ListingCreate> = {}): Promise<ListingResponse> =>
    createListing(ctx, ListingCreate().parse({ ...villa, ...given }));
  const patch = (ctx: Context, listing_id: number, body: ListingUpdate): Promise<ListingResponse> =>
    updateListing(ctx, listing_id, body);
  const detail = (ctx: Context, listing_id: number): Promise<ListingResponse> =>
    getListing(ctx, listing_id, new ViewCounter());
  const read = async (id: number): Promise<Listing> => {
    const listing = await deps().table.get(ListingEntity, { id });
    if (!listing) throw new Error(`there is no listing ${id}`);
    return listing;
  };
  const take = (listing: Taken, state: TakenState, days?: [string, string]) =>
    takenTime(deps(), listing, state, days);
  const book = async (...given: Parameters<typeof take>) =>
    deps().table.transact((await take(...given)).writes);
  return { host, guest, create, detail, patch, read, take, book };
};

export const at = (listing_id: number) => ({ params: { listing_id } });

const villa = {
  name: 'Biệt thự Đà Lạt',
  listing_type: 'ENTIRE_PLACE',
  property_type: 'villa',
  address: '12 Trần Hưng Đạo',
  province_code: 'LD',
  capacity: 4,
  full_rate: 1_000_000,
  state: 'ACTIVE',
};

type Taken = Pick<Listing, 'id'> & { parent_listing_id?: number | null };
type TakenState = 'BOOKED' | 'BLOCKED' | 'SOFT_LOCK';

/** Returns months as read, and the writes that take time in them. */
const takenTime = async (
  { table, clock }: TestDependencies,
  { id, parent_listing_id }: Taken,
  state: TakenState,
  [from, to]: [string, string] = ['2027-02-04', '2027-02-07'],
) => {
  const availability_id = freshId();
  const until = clock.now() + 900_000;
  const start_at = `${from}T14:00:00`;
  const time = { calendar_id: parent_listing_id ?? id, listing_id: id, start_at, end_at: `${to}T12:00:00` };
  const draft = await CalendarDraft.load(table, [time], clock.now());
  if (state === 'SOFT_LOCK') draft.hold({ ...time, availability_id, order_id: 16, holder: 'user:1', until });
  else draft.take(time);
  const entry = {
    ...time,
    availability_id,
    state,
    reservation_id: state === 'BOOKED' ? 17 : null,
    order_id: 16,
    locked_until: state === 'SOFT_LOCK' ? until : null,
    note: null,
    created_at: '2027-01-15T03:00:00.000Z',
  };
  return { entry, writes: [...draft.writes(), put(AvailabilityEntryEntity, entry)] };
};
