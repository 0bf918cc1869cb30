import { addDays } from '../../../../shared/platform/time/time.ts';
import { type Home, type NewFeed, platformGuest } from '../town.ts';
import type { Actor } from './actor.ts';

/** A calendar in which there is never anything. */
const emptyCalendarUrl = (home: number): string => `https://empty.example.com/${home}.ics`;

interface Feeds {
  items: { id: number; url: string }[];
  export_url: string;
}

/** Of a home that no platform sells: follows an empty calendar and ends it, changes the addresses, reads the own calendar. */
export const tendFeeds = async (host: Actor, { id, isHouse, isRoom }: Home): Promise<void> => {
  const path = `/listings/${id}/calendar/ical`;
  const reply = await host.get('listFeeds', path);
  if (reply?.status !== 200) return;
  const { items, export_url } = reply.json as Feeds;
  const { pathname, searchParams } = new URL(export_url);
  const query = Object.fromEntries(searchParams);
  await host.get('exportCalendar', pathname.replace('/api/v1', ''), query);
  const own = items.find(({ url }) => url === emptyCalendarUrl(id));
  // A family with a platform keeps its addresses.
  if (isHouse || isRoom || items.some((feed) => feed !== own)) return;
  const { sim } = host.town;
  if (sim.chance(0.3)) await host.post('rotateExportToken', `${path}/rotate-token`);
  else if (own) await host.remove('unfollowCalendar', `${path}/${own.id}`);
  else await host.post('followCalendar', path, { url: emptyCalendarUrl(id) });
};

interface Imported {
  items: { availability_id: number; summary: string }[];
}

/** Looks at the stays that platforms have brought, and mostly makes a booking of one; some in two windows. */
export const adoptStay = async (host: Actor): Promise<void> => {
  const { sim } = host.town;
  const from = host.town.today();
  const query = { from, to: addDays(from, 60), limit: 50 };
  const reply = await host.get('listImportedStays', '/imported-stays', query);
  const { items } = reply?.status === 200 ? (reply.json as Imported) : { items: [] };
  if (items.length === 0 || sim.chance(0.2)) return;
  const { availability_id, summary } = sim.pick(items);
  const body = {
    availability_id,
    total_price: 100_000 * (5 + sim.whole(20)),
    guest_info: { full_name: summary, ...(sim.chance(0.5) ? { email: platformGuest } : {}) },
    ...(sim.chance(0.5) ? { external_booking_id: `HM${availability_id}` } : {}),
  };
  const adopt = () => host.post('bookForGuest', '/bookings', body);
  await Promise.all(sim.chance(0.15) ? [adopt(), adopt()] : [adopt()]);
};

/** Says otherwise what a platform is called, and which of its events are stays. */
export const changeFeed = async (host: Actor): Promise<void> => {
  const { sim, followed } = host.town;
  const own = followed.filter(({ home }) => home.team === host.who);
  if (own.length === 0) return;
  const feed = sim.pick(own);
  const counts_as = sim.pick(['BY_TEXT', 'BY_TEXT', 'STAYS', 'BLOCKS']);
  const change = sim.pick([
    { counts_as },
    { label: sim.pick(['Airbnb', 'Agoda']) },
    { commission_rate: 0.15 },
  ]);
  if ('counts_as' in change) feed.counted.add(counts_as);
  const path = `/listings/${feed.home.id}/calendar/ical/${feed.id}`;
  const reply = await host.patch('changeFeed', path, change);
  if (reply?.status === 200) feed.said = reply.json as NonNullable<typeof feed.said>;
  else if (!reply || reply.status >= 500) feed.said = undefined;
};

/**
 * Stops following a platform, whose adopted stays are the host's own from then on, and follows it anew after a while. The platform
 * gets its new address, and once it has fetched that its calendar is judged again, as the documentation says.
 */
export const followAnew = async (host: Actor): Promise<void> => {
  const { town } = host;
  const { sim } = town;
  const own = town.followed.filter(({ home }) => home.team === host.who);
  if (own.length === 0) return;
  const feed = sim.pick(own);
  const path = `/listings/${feed.home.id}/calendar/ical`;
  await host.remove('unfollowCalendar', `${path}/${feed.id}`);
  await town.pause(sim.pick([0, 3, town.isSlow ? 240 : 40]));
  const follow = async (): Promise<void> => {
    const reply = await host.post('followCalendar', path, { url: feed.url });
    if (!reply || reply.status >= 300) {
      await town.pause(5);
      return follow();
    }
    // What is followed again before the last of it is gone keeps what its host has said.
    const said = reply.json as NewFeed;
    Object.assign(feed, { id: said.id, said });
    feed.counted.add(said.counts_as);
    feed.paste(said.export_url);
  };
  await follow();
  await town.pause(town.isSlow ? 120 : 40);
  await follow();
};
