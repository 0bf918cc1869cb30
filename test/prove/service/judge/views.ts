import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Item } from '../../memory/values.ts';
import type { Answers } from '../client.ts';
import type { Town } from '../town.ts';

interface Found {
  items: { id: number }[];
}

/** Asks as a guest when all is quiet: search finds exactly what can be booked, and a partner's the part of its teams. */
export const searchProblems = async (town: Town): Promise<string[]> => {
  const [guest] = town.guests;
  const problems: string[] = [];
  for (const date of town.week()) {
    const dates = { check_in: date, check_out: addDays(date, 1) };
    const found = await town.must(guest!, {
      verb: 'searchListings',
      method: 'GET',
      path: '/api/v1/search',
      query: { location: 'LD', guests: 2, limit: 50, ...dates },
    });
    const ids = (found.json as Found).items.map(({ id }) => id);
    for (const partner of town.partners) {
      const forKey = await town.must(partner, {
        verb: 'searchExternalListings',
        method: 'GET',
        path: '/api/v1/external/search',
        query: { location: 'LD', guests: 2, limit: 50, ...dates },
      });
      const theirs = town.homes.filter(
        ({ id, team }) => ids.includes(id) && partner.teams?.includes(team.team!),
      );
      const [wanted, shown] = [theirs.map(({ id }) => id), (forKey.json as Found).items.map(({ id }) => id)];
      if (wanted.toSorted().join() !== shown.toSorted().join())
        problems.push(`${partner.name} finds ${shown.join(' ')} on ${date} in place of ${wanted.join(' ')}`);
    }
    for (const { id } of town.homes) {
      const item = { listing_id: id, check_in_date: date, check_out_date: addDays(date, 1), guest_number: 2 };
      const preview = await town.client.ask(guest!, {
        verb: 'previewCheckout',
        method: 'POST',
        path: '/api/v1/checkout/preview',
        body: { items: [item] },
      });
      // A listing that is not open is not found.
      const lines =
        preview?.status === 200 ? (preview.json as { items: { available: boolean }[] }).items : [];
      const isFree = lines[0]?.available === true;
      if (isFree !== ids.includes(id))
        problems.push(
          `search ${ids.includes(id) ? 'finds' : 'omits'} ${id} on ${date}, which is ${isFree ? 'free' : 'taken'}`,
        );
    }
  }
  return problems;
};

/** Totals of lists and the figures of reviews. */
export const countProblems = async (town: Town, items: readonly Item[]): Promise<string[]> => {
  const problems: string[] = [];
  for (const host of town.hosts) {
    const listed = await town.must(host, {
      verb: 'listTeamBookings',
      method: 'GET',
      path: '/api/v1/bookings',
      query: { limit: 1 },
    });
    const { total } = listed.json as { total: number };
    const stays = items.filter(
      ({ entity, team_id }) => entity === 'Reservation' && team_id === host.team,
    ).length;
    if (total !== stays) problems.push(`${host.name} has ${stays} bookings, the list says ${total}`);
  }
  for (const home of town.homes) {
    const ratings = items
      .filter(({ entity, listing_id }) => entity === 'Review' && listing_id === home.id)
      .map(({ rating }) => Number(rating));
    const average = ratings.reduce((sum, one) => sum + one, 0) / ratings.length;
    const readers = [
      { who: home.team, verb: 'getListing', path: `/api/v1/listings/${home.id}` },
      ...town.partners
        .filter(({ teams }) => teams?.includes(home.team.team!))
        .map((who) => ({ who, verb: 'getExternalListing', path: `/api/v1/external/listings/${home.id}` })),
    ];
    for (const { who, verb, path } of readers) {
      const shown = await town.must(who, { verb, method: 'GET', path });
      const { review_count, rating_average } = shown.json as {
        review_count: number;
        rating_average: number | null;
      };
      if (
        review_count !== ratings.length ||
        (ratings.length > 0 && Math.abs((rating_average ?? 0) - average) > 0.06)
      )
        problems.push(
          `${verb} of ${home.id} shows ${review_count} reviews of ${rating_average}, there are ${ratings.length} of ${average}`,
        );
    }
  }
  return problems;
};

/** Answers are kept for a day. */
const keptMs = 23 * 3_600_000;

/** Sends requests with their keys again: the answers are the same bytes. */
export const repeatKept = async (town: Town, answers: Answers): Promise<void> => {
  const { sim } = town;
  const all = [...answers.kept.values()].filter(({ at }) => at > sim.now() - keptMs);
  for (const { who, request } of all.filter(() => sim.chance(Math.min(1, 40 / all.length))))
    await town.client.ask(who, request);
};
