import { randomInt } from 'node:crypto';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { CellReader } from '../../shared/domain/search/cell-reader.ts';
import { searchListings } from '../../shared/domain/search/search-listings.ts';
import { SearchQuery } from '../../shared/domain/search/search.schema.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { queueEvent } from './events.ts';
import { testListing } from './listings.ts';
import { freshId, testContext, testDependencies, testKey, testStart, testTeam, testUser } from './table.ts';

export const dates = (check_in_date: string, check_out_date: string) => ({ check_in_date, check_out_date });
const year = { start_date: '2027-01-01', end_date: '2027-12-31' };

/** A room of a house, with 3 hours of preparation after each of its stays, and who may see and book it. */
export const preparationScene = async (given: Partial<Listing> = { preparation_hours: 3 }) => {
  const clock = fixedClock(testStart);
  const deps = await testDependencies({ clock });
  const { team_id } = await testTeam(deps);
  const spot = { latitude: -70 + randomInt(500) / 100, longitude: randomInt(10_000) / 100 };
  const hours = { allow_hourly_booking: true, price_per_hour: 100_000, min_hours: 1 };
  const house = await testListing(deps, { team_id, ...hours, ...spot });
  const child = (fields: Partial<Listing>) =>
    testListing(deps, { team_id, parent_listing_id: house.id, ...hours, ...spot, ...fields });
  const [room, sibling] = [await child(given), await child({})];
  const owner = testContext(
    deps,
    (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller,
    { teamHeader: team_id },
  );
  const guest = testContext(deps, (await testUser(deps)).caller);
  const other = testContext(deps, (await testUser(deps)).caller);
  const partner = testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller);
  const item = (asked: object, listing_id = room.id) => ({
    ...{ listing_id, guest_number: 2, ...dates('2027-02-04', '2027-02-06') },
    ...asked,
  });
  const book = (asked: object = {}, listing_id = room.id, who = guest) =>
    confirmCheckout(who, { items: [item(asked, listing_id)], payment_method: 'CASH' });
  /** `state from to` of what a caller sees in the calendar. */
  const entries = async (who = owner, listing_id = room.id) =>
    (await readRange(who, listing_id, year)).map(
      ({ state, start_at, end_at, note }) =>
        `${state} ${start_at.slice(5, 13)} ${end_at.slice(5, 13)}${note === null ? '' : ` ${note}`}`,
    );
  const taken = async (listing_id = room.id, calendar_id = house.id) => {
    const range = { start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
    const time = { calendar_id, listing_id, ...range };
    const draft = await CalendarDraft.load(deps.table, [time], clock.now());
    return draft.taken(time).map(({ start_at, end_at }) => `${start_at.slice(5, 13)} ${end_at.slice(5, 13)}`);
  };
  const at = (local: string) => clock.advance(Date.parse(`${local}+07:00`) - clock.now());
  const worker = searchIndexWorker(() => deps);
  const index = () =>
    worker(
      queueEvent({
        ...{ id: `evt_${freshId()}`, event_type: 'listing.updated', actor: 'system:test', team_id },
        ...{ occurred_at: '2027-01-15T03:00:00.000Z', data: { id: room.id } },
      }),
    );
  /** Which of the room and its house search finds; their index is as of the last call of `index`. */
  const found = async (check_in: string, check_out: string) => {
    const location = `${spot.latitude},${spot.longitude}`;
    const query = SearchQuery.parse({ location, radius_km: '1', check_in, check_out });
    const { items } = await searchListings(other, query, { cells: new CellReader({ keepMs: 0 }) });
    return items.map(({ id }) => id);
  };
  return {
    ...{ clock, deps, team_id, house, room, sibling, owner, guest, other, partner },
    ...{ item, book, entries, taken, at, index, found },
  };
};
