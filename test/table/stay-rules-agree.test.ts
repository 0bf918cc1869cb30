import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { blockTime, readAvailability } from '../../shared/domain/calendar/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { putStayRules } from '../../shared/domain/pricing/index.ts';
import { CellReader } from '../../shared/domain/search/cell-reader.ts';
import { searchListings } from '../../shared/domain/search/search-listings.ts';
import { SearchQuery } from '../../shared/domain/search/search.schema.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { queueEvent } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { day, rulesOf } from '../support/stay-rules.ts';
import { freshId, testContext, testDependencies, testStart, testTeam, testUser } from '../support/table.ts';
import { randomCases } from '../support/random-cases.ts';

const homes = randomCases(55);
const arrivals = 26;
const longest = 7;

const none = {
  ...{ min_nights: null, max_nights: null },
  ...{ closed_to_arrival: null, closed_to_departure: null, closed: null },
};

interface Day {
  available: boolean;
  min_nights: number;
  max_nights: number | null;
  can_arrive: boolean;
  can_depart: boolean;
}

interface Verdict {
  code: string;
  nearest: { listing_id: number; check_in_date: string; check_out_date: string }[];
}

/** Homes of one place with random stay rules, preparation and blocks, as a guest finds and books them. */
const scene = async () => {
  const deps = await testDependencies({ clock: fixedClock(testStart) });
  const { team_id } = await testTeam(deps);
  const member = { memberships: [{ team_id, role: 'OWNER' as const }] };
  const owner = testContext(deps, (await testUser(deps, member)).caller);
  const guest = testContext(deps, (await testUser(deps)).caller);
  const spot = { latitude: -70 + randomInt(500) / 100, longitude: randomInt(10_000) / 100 };
  const index = searchIndexWorker(() => deps);
  const ids: number[] = [];
  const drawn = fc.tuple(
    rulesOf,
    fc.uniqueArray(fc.nat({ max: arrivals + longest }), { maxLength: 3 }),
    fc.constantFrom(0, 3, 24),
  );
  for (const [rules, blocked, preparation_hours] of fc.sample(drawn, { numRuns: homes, seed: 78 })) {
    const { id } = await testListing(deps, { team_id, preparation_hours, ...spot });
    // Rules of every kind together leave few stays: most homes have some of them.
    const isStrict = ids.length % 4 === 0;
    await putStayRules(owner, id, {
      default: isStrict ? rules.default : { ...none, max_nights: rules.default.max_nights },
      min_notice_hours: rules.min_notice_hours,
      booking_window_days: isStrict ? rules.booking_window_days : null,
      date_rules: rules.date_rules.slice(0, isStrict ? 6 : 2).map(({ id: _, ...one }) => one),
    });
    for (const at of blocked) await blockTime(owner, id, { block_date: day(at) });
    await index(
      queueEvent({
        ...{ id: `evt_${freshId()}`, event_type: 'listing.updated', actor: 'system:test', team_id },
        ...{ occurred_at: testStart, data: { id } },
      }),
    );
    ids.push(id);
  }
  const cells = new CellReader({ keepMs: 60_000 });
  const found = async (check_in: string, check_out: string): Promise<Set<number>> => {
    const location = `${spot.latitude},${spot.longitude}`;
    const query = SearchQuery.parse({ location, radius_km: '1', check_in, check_out, limit: '100' });
    return new Set((await searchListings(guest, query, { cells })).items.map(({ id }) => id));
  };
  const days = async (id: number): Promise<Day[]> => {
    const range = { start_date: day(0), end_date: day(arrivals + longest), granularity: 'day' as const };
    return (await readAvailability(guest, id, range, (listing) => listing!)).items as unknown as Day[];
  };
  /** The answer of a confirm of which nothing is written. */
  const confirmed = async (listing_id: number, check_in_date: string, check_out_date: string) => {
    const items = [{ listing_id, check_in_date, check_out_date, guest_number: 1 }];
    try {
      const ctx = { ...guest, commit: async <Body>(_: unknown, body: Body) => body };
      await confirmCheckout(ctx, { items, payment_method: 'CASH' });
      return { code: 'booked', nearest: [] };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { nearest = [] } = error.details as Partial<Verdict>;
      return { code: error.code, nearest };
    }
  };
  return { ids, found, days, confirmed };
};

/** Whether the availability by day lets a guest stay. */
const isOffered = (days: readonly Day[], from: number, nights: number): boolean =>
  days[from]?.can_arrive === true &&
  days[from].min_nights <= nights &&
  nights <= (days[from].max_nights ?? Infinity) &&
  days.slice(from, from + nights).every(({ available }) => available) &&
  days[from + nights]?.can_depart === true;

describe('10,000 stays under random rules, preparation and blocks', () => {
  it('are found by search, offered by the availability and by refusals, and confirmed, or none of it', async () => {
    const { ids, found, days, confirmed } = await scene();
    const availability = await Promise.all(ids.map(days));
    const offered = new Map<string, Verdict['nearest'][number]>();
    const counts: Record<string, number> = {};
    for (let from = 0; from < arrivals; from++)
      for (let nights = 1; nights <= longest; nights++) {
        const [check_in, check_out] = [day(from), day(from + nights)];
        const inSearch = await found(check_in, check_out);
        for (const [at, id] of ids.entries()) {
          const { code, nearest } = await confirmed(id, check_in, check_out);
          counts[code] = (counts[code] ?? 0) + 1;
          for (const stay of nearest) offered.set(Object.values(stay).join(), stay);
          const says = [inSearch.has(id), isOffered(availability[at]!, from, nights)];
          const isBooked = code === 'booked';
          if (says.some((one) => one !== isBooked))
            throw new Error(
              `${id} ${check_in} ${check_out}: ${code}, search and availability ${says.join()}`,
            );
        }
      }
    for (const { listing_id, check_in_date, check_out_date } of offered.values())
      expect((await confirmed(listing_id, check_in_date, check_out_date)).code).toBe('booked');
    expect(homes * arrivals * longest).toBeGreaterThan(randomCases(10_000));
    expect(offered.size).toBeGreaterThan(randomCases(800));
    expect(Math.min(counts['booked']!, counts['STAY_NOT_ALLOWED']!)).toBeGreaterThan(randomCases(1500));
    expect(counts['LISTING_NOT_AVAILABLE']).toBeGreaterThan(randomCases(100));
  }, 240_000);
});
