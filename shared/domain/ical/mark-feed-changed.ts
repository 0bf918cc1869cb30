import { instantText } from '../../platform/clock.ts';
import { type Dependencies } from '../../platform/context.ts';
import { commitOnce } from '../../platform/events/handle-once.ts';
import { type EventMessage } from '../../platform/events/index.ts';
import { absent, equals, put, untilWon } from '../../platform/table/index.ts';
import { calendarOf } from '../calendar/index.ts';
import { readListing } from '../listing/index.ts';
import { FeedRevisionEntity } from './ical.entity.ts';

/** Notes, once an event, that the exports of a calendar have changed: what subscribers are told as Last-Modified (D64). */
export const markFeedChanged = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: EventMessage,
): Promise<void> => {
  const listingId = Number(event.data['listing_id']);
  const listing = Number.isSafeInteger(listingId) ? await readListing(deps.table, listingId) : undefined;
  if (!listing) throw new Error(`event ${event.id} names no listing that is there`);
  const calendar_id = calendarOf(listing);
  await untilWon(async () => {
    const known = await deps.table.get(FeedRevisionEntity, { calendar_id });
    const changed_at = instantText(deps.clock.now());
    await commitOnce(deps, { consumer: 'ical', event_id: event.id, recipient: null }, [
      put(
        FeedRevisionEntity,
        { calendar_id, revision: (known?.revision ?? 0) + 1, changed_at },
        { when: known ? equals('revision', known.revision) : absent() },
      ),
    ]);
  });
};
