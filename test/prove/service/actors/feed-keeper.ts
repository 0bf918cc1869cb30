import type { Home } from '../town.ts';
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
