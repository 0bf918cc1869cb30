import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { commitOnce } from '../../platform/events/handle-once.ts';
import type { EventMessage } from '../../platform/events/index.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { absent, equals, put, type Table, untilWon } from '../../platform/table/index.ts';
import { ReservationEntity } from '../booking/index.ts';
import { calendarOf } from '../calendar/index.ts';
import { readListing } from '../listing/index.ts';
import { FeedRevisionEntity } from './ical.entity.ts';

/** Notes, once an event, that the exports of a calendar have changed: what subscribers are told as Last-Modified (D64). */
export const markFeedChanged = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: EventMessage,
): Promise<void> => {
  const calendar_id = await calendarIn(deps.table, event);
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

/** The calendar an event is about: that of its listing, or of its booking. */
const calendarIn = async (table: Table, { id: eventId, event_type, data: { id } }: EventMessage) => {
  const missing = () => new Error(`what event ${eventId} names, ${id}, is not there`);
  if (event_type === 'availability.changed') {
    const listing = await readListing(table, id);
    if (!listing) throw missing();
    return calendarOf(listing);
  }
  const ids = { order_id: orderIdOf(id), reservation_id: id };
  const reservation = await table.get(ReservationEntity, ids);
  if (!reservation) throw missing();
  return reservation.calendar_id;
};
