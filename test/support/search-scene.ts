import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { SearchResult } from '../../shared/domain/search/search.schema.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { eventsOf, queueEvent } from './events.ts';
import { type ListingGiven, ok, orderScene, type Who } from './order-scene.ts';
import { freshId } from './table.ts';

let spots = 0;

/** Returns a place hundreds of kilometres from that of every other test of the file. */
export const freshSpot = (): { latitude: number; longitude: number } => {
  const spot = spots++;
  return { latitude: (spot % 30) * 4 - 58, longitude: Math.floor(spot / 30) * 5 - 150 };
};

/** Returns a point some kilometres to the north. */
export const north = (spot: { latitude: number; longitude: number }, km: number) => ({
  ...spot,
  latitude: spot.latitude + km / 111.195,
});

/** The order scene with search, whose worker runs when the test calls it. */
export const searchScene = async () => {
  const scene = await orderScene();
  const worker = searchIndexWorker(() => scene.deps);
  const deliver = async (...messages: EventMessage[]): Promise<void> => {
    for (let at = 0; at < messages.length; at += 10) {
      const { batchItemFailures } = await worker(queueEvent(...messages.slice(at, at + 10)));
      if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed`);
    }
  };
  const emitted = (id: number, event_type: EventMessage['event_type'] = 'listing.updated'): EventMessage => ({
    id: `evt_${freshId()}`,
    event_type,
    occurred_at: '2027-01-15T03:00:00.000Z',
    team_id: scene.a.team_id,
    actor: 'system:test',
    data: { id },
  });
  /** Delivers an event of each listing to the worker. */
  const index = (...listings: { id: number }[]) => deliver(...listings.map(({ id }) => emitted(id)));
  const home = async (given: ListingGiven = {}): Promise<Listing> => {
    const listing = await scene.listing(given);
    await index(listing);
    return listing;
  };
  /** Creates a listing through the API, so that parents know their children. */
  const create = async (body: object): Promise<{ id: number }> => {
    const { token } = scene.host;
    const made = await scene.call('POST', '/api/v1/listings', { token, body: { ...villa, ...body } });
    const { id } = ok(made, 201) as { id: number };
    return { id };
  };
  const search = (query: Record<string, string | number>, who: Who = scene.guest) =>
    scene.get<SearchResult>(who, '/api/v1/search', query);
  const found = async (...asked: Parameters<typeof search>) => ok(await search(...asked));
  return Object.assign(scene, { worker, deliver, emitted, index, home, create, search, found, eventsOf });
};
export type SearchScene = Awaited<ReturnType<typeof searchScene>>;

export const at = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `${latitude},${longitude}`;

export const idsOf = ({ items }: Pick<SearchResult, 'items'>): number[] => items.map(({ id }) => id);

const villa = {
  name: 'Biệt thự Mây',
  listing_type: 'ENTIRE_PLACE',
  property_type: 'villa',
  address: '12 Trần Hưng Đạo',
  province_code: 'LD',
  capacity: 6,
  full_rate: 1_000_000,
  state: 'ACTIVE',
};
