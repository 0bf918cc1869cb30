import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { change, equals, put, remove, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import {
  AvailabilityEntryEntity,
  CalendarDraft,
  isLongStay,
  type LocalRange,
  preparationOf,
} from '../calendar/model.ts';
import { listingPartition } from '../listing/model.ts';
import { entryOf } from './book-order.ts';
import type { Reservation } from './reservation.entity.ts';
import { unusedTime } from './unused-time.rules.ts';

/**
 * Returns the writes that free the remaining hours of stays whose guests leave early, or did not come (`isMissed`); none if
 * they have ended.
 */
export const releaseUnusedHours = async (
  ctx: Context,
  leaving: readonly Reservation[],
  { isMissed = false } = {},
): Promise<Write[]> => {
  const now = ctx.clock.now();
  const left = leaving.flatMap((stay) => {
    const unused = unusedTime(stay, now, { isMissed });
    return unused ? [{ stay, ...unused }] : [];
  });
  const times = left.map(({ stay: { calendar_id, listing_id }, freed }) => ({
    calendar_id,
    listing_id,
    ...freed,
  }));
  const draft = await CalendarDraft.load(ctx.table, times, now);
  for (const time of times) draft.free(time);
  return [
    ...draft.writes(),
    ...left.flatMap(({ stay, kept, freed }) => [
      ...shortenEntryWrites(stay, kept),
      emitFreedTime(ctx, stay, freed),
    ]),
  ];
};

/** Returns the writes that shorten the entry; they conflict if the stay has moved to another calendar. */
const shortenEntryWrites = (
  stay: Reservation,
  { end_at, preparation_hours: hours = 0 }: Pick<Reservation, 'end_at' | 'preparation_hours'>,
): Write[] => {
  const entry = entryOf(stay);
  const { preparation_hours: _, ...whole } = entry;
  const shorter = { ...whole, end_at, ...preparationOf({ preparation_hours: hours }) };
  const asRead = { when: equals('availability_id', entry.availability_id) };
  if (end_at <= entry.start_at) return [remove(AvailabilityEntryEntity, entry, asRead)];
  return isLongStay(entry) === isLongStay(shorter)
    ? [
        change(
          AvailabilityEntryEntity,
          entry,
          { set: { end_at, preparation_hours: hours || undefined } },
          asRead,
        ),
      ]
    : [remove(AvailabilityEntryEntity, entry, asRead), put(AvailabilityEntryEntity, shorter)];
};

const emitFreedTime = (
  ctx: Context,
  { listing_id, team_id }: Reservation,
  { start_at, end_at }: LocalRange,
) =>
  recordEvent(ctx, {
    subject: listingPartition(listing_id),
    event_type: 'availability.changed',
    team_id,
    data: { id: listing_id, start_at, end_at, by: callerRef(ctx.caller) },
  });
