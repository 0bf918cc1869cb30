import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { change, create, equals, put, remove, type Write } from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { floorHour } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarDraft,
  importNote,
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
 * they have ended. Those of a platform's stay stay closed, as its calendar says: a block of the feed has them (D120).
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
  const isLed = ({ stay }: { stay: Reservation }): boolean => stay.feed_id !== undefined;
  const ours = left.filter((one) => !isLed(one));
  // Hours before the platform's stay are the host's own.
  const early = left.filter(isLed).flatMap(({ stay, freed }) => {
    const end = floorHour(stay.start_at);
    return freed.start_at < end ? [{ stay, freed: { ...freed, end_at: end } }] : [];
  });
  const open = [...ours, ...early];
  const times = open.map(({ stay: { calendar_id, listing_id }, freed }) => ({
    calendar_id,
    listing_id,
    ...freed,
  }));
  const draft = await CalendarDraft.load(ctx.table, times, now);
  for (const time of times) draft.free(time);
  return [
    ...draft.writes(),
    ...left.flatMap(({ stay, kept }) => shortenEntryWrites(stay, kept)),
    ...open.map(({ stay, freed }) => emitTime(ctx, stay, freed)),
    ...left.filter(isLed).map(({ stay, freed }) => create(AvailabilityEntryEntity, restOf(ctx, stay, freed))),
  ];
};

/** What a platform has sold of a stay and its guest does not use. */
const restOf = (
  { clock }: Pick<Context, 'clock'>,
  stay: Reservation,
  { start_at, end_at }: LocalRange,
): AvailabilityEntry => {
  const { preparation_hours: _, booked_from: __, ...entry } = entryOf(stay);
  const sold = floorHour(stay.start_at);
  return {
    ...{ ...entry, availability_id: newId(clock), start_at: start_at < sold ? sold : start_at, end_at },
    ...{ state: 'BLOCKED', reservation_id: null, order_id: null },
    note: importNote(stay.external_system ?? ''),
    created_at: instantText(clock.now()),
  };
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

/** Returns the write of the event that a stay takes hours, or does not any more. */
export const emitTime = (
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
