import type { Context } from '../../platform/context.ts';
import { hostedListing } from '../listing/index.ts';
import { tokenOf } from './feed-token.ts';
import type { CalendarFeeds } from './ical.schema.ts';

/** The calendars that a listing follows, none in this release, and the address of its own export (D64). */
export const listFeeds = async (
  ctx: Pick<Context, 'table' | 'clock' | 'caller'>,
  { params }: { params: { listing_id: number } },
  apiUrl: string,
): Promise<CalendarFeeds> => {
  const { id } = await hostedListing(ctx, params.listing_id, 'read');
  const address = `${apiUrl}/api/v1/listings/${id}/calendar.ics?token=${await tokenOf(ctx, id)}`;
  return { items: [], export_url: address };
};
