import { confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { createListing } from '../../shared/domain/listing/index.ts';
import { ListingCreate } from '../../shared/domain/listing/model.ts';
import { cellOf } from '../../shared/domain/search/grid.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { type Context, type Dependencies, systemContext } from '../../shared/platform/context.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { searchIndexSubscription } from '../../shared/subscriptions.ts';
import { queueEvent } from '../support/events.ts';
import { type Home, homeOf, seededStays } from './homes.ts';
import { writeItem } from '../../shared/platform/dynamodb/write-json.ts';

export interface SeedOptions {
  team_id: number;
  /** The first listing and their number. */
  from: number;
  listings: number;
  stays: number;
  today: string;
}

/** The most stays of an order. */
const staysOfOrder = 10;
/** The most messages of a batch that Lambda hands to the worker of search. */
const messagesOfBatch = searchIndexSubscription.batchSize;

/** Returns a guest of the bench, as the authorizer returns it. */
export const guestOf = (number: number): UserCaller => ({
  kind: 'user',
  user_id: 17_000_000_000_001 + number,
  subject: `auth0|bench-${number}`,
  email: `bench-${number}@example.com`,
  full_name: 'Nguyễn Văn An',
  phone: '+84901234567',
  language: 'vi',
  email_verified: true,
  system_role: 'USER',
  memberships: [],
});

/** Creates listings and books their stays, by the verbs of the service; returns the ids. */
export const createHomes = async (
  deps: Dependencies,
  { team_id, from, listings, stays, today }: SeedOptions,
): Promise<number[]> => {
  const host: UserCaller = { ...guestOf(from), memberships: [{ team_id, role: 'OWNER' }] };
  const asHost: Context = { ...systemContext(deps, 'bench'), caller: host, teamHeader: team_id };
  const ids: number[] = [];
  for (let number = from; number < from + listings; number++) {
    const { id } = await createListing(asHost, ListingCreate().parse(inputOf(homeOf(number))));
    ids.push(id);
    await bookStays(deps, guestOf(number), id, seededStays(number, stays, today));
  }
  return ids;
};

const inputOf = ({ city, weekend_rate, ...home }: Home) => ({
  ...home,
  listing_type: 'ENTIRE_PLACE',
  property_type: 'APARTMENT',
  state: 'ACTIVE',
  province_code: `P${city}`,
  guest_included_in_rate: home.capacity,
  prices_by_week: { 5: weekend_rate, 6: weekend_rate },
  refund_rule: 'Full refund until 5 days before check-in.',
});

const bookStays = async (
  deps: Dependencies,
  caller: UserCaller,
  listing_id: number,
  stays: readonly { check_in_date: string; check_out_date: string }[],
): Promise<void> => {
  const ctx: Context<UserCaller> = { ...systemContext(deps, 'bench'), caller };
  for (let at = 0; at < stays.length; at += staysOfOrder) {
    const items = stays.slice(at, at + staysOfOrder).map((stay) => ({
      ...{ listing_id, ...stay, guest_number: 1, adult_number: null, children_number: null },
    }));
    await confirmCheckout(ctx, { items, currency: 'VND', payment_method: 'CASH' });
  }
};

/**
 * Hands an event of each created listing to the worker of search, in the largest batches that Lambda makes, cell by cell: each
 * batch packs the columns of its cells again.
 */
export const indexListings = async (
  deps: Dependencies,
  { team_id, from }: SeedOptions,
  ids: readonly number[],
): Promise<void> => {
  const worker = searchIndexWorker(() => deps);
  const occurred_at = new Date(deps.clock.now()).toISOString();
  const numbered = ids.map((id, at) => ({ id, cell: cellOf(homeOf(from + at)) }));
  const byCell = [...Map.groupBy(numbered, ({ cell }) => cell).values()].flat().map(({ id }) => id);
  for (let at = 0; at < byCell.length; at += messagesOfBatch) {
    const events = byCell.slice(at, at + messagesOfBatch).map((id) => ({
      ...{ id: newEventId(deps.clock), event_type: 'listing.updated' as const, occurred_at },
      ...{ team_id, actor: 'system:bench', data: { id } },
    }));
    const { batchItemFailures } = await worker(queueEvent(...events));
    if (batchItemFailures.length > 0)
      throw new Error(`${batchItemFailures.length} listings were not indexed`);
  }
};

/** Returns an item as a line of a file that the emulator imports: binary values are base64. */
export const importLine = (item: object): string => `{"Item":${writeItem(item)}}\n`;
