import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  all,
  ConflictError,
  equals,
  lacks,
  put,
  readOf,
  remove,
  type Write,
} from '../../platform/table/index.ts';
import { floorHour, toLocal } from '../../platform/time/time.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarDraft,
  type ListingTime,
  type LocalRange,
  notAvailable,
  type TakenTime,
} from '../calendar/model.ts';
import { entryOf } from './book-order.ts';
import { refusesArrival, takersOf, takerDetails, takerText } from './early-takers.ts';
import { emitTime } from './release-unused-hours.ts';
import type { Reservation } from './reservation.entity.ts';

/** The writes beside a transition, and of the stays that it gives hours before their beginning, from when on. */
export interface EarlyHours {
  beside: Write[];
  earlyFrom?: ReadonlyMap<number, Pick<Reservation, 'taken_from'>>;
}

/** A stay and hours of its home before its beginning. */
interface EarlyStay {
  stay: Reservation;
  time: ListingTime;
}

/** Returns a stay with hours of its home from one on until the stay begins; undefined: it begins in that hour, or before. */
const earlyStay = (stay: Reservation, from: string): EarlyStay | undefined => {
  const { calendar_id, listing_id } = stay;
  const time = { calendar_id, listing_id, start_at: floorHour(from), end_at: floorHour(stay.start_at) };
  return time.start_at < time.end_at ? { stay, time } : undefined;
};

/**
 * Takes the time of guests who are checked in before their stays begin: from the present hour on, as far as nothing has closed it
 * (D148). Throws LISTING_NOT_AVAILABLE while another stay, a soft lock or a block has it.
 */
export const takeEarlyHours = async (ctx: Context, arriving: readonly Reservation[]): Promise<EarlyHours> => {
  const now = ctx.clock.now();
  const early = arriving.flatMap((stay) => earlyStay(stay, toLocal(now, stay.timezone)) ?? []);
  const { draft, entries } = await readHours(ctx, early);
  const taken: EarlyStay[] = [];
  for (const one of early) {
    const { stay } = one;
    const part = earlyStay(stay, await freeFrom(ctx, draft, one));
    if (!part) continue;
    draft.take(part.time);
    taken.push(part);
  }
  return {
    beside: [
      ...draft.writes(),
      ...taken.flatMap(({ stay, time: { start_at } }) =>
        movedEntry(entries.get(stay), { start_at, booked_from: stay.start_at }),
      ),
      ...taken.map(({ stay, time }) => emitTime(ctx, stay, time)),
    ],
    earlyFrom: new Map(
      taken.map(({ stay, time }) => [stay.reservation_id, { taken_from: time.start_at }] as const),
    ),
  };
};

/** Frees the time that stays have taken before they begin. */
export const returnEarlyHours = async (ctx: Context, stays: readonly Reservation[]): Promise<EarlyHours> => {
  const early = stays.flatMap((stay) => earlyStay(stay, stay.taken_from ?? stay.start_at) ?? []);
  const { draft, entries } = await readHours(ctx, early);
  for (const { time } of early) draft.free(time);
  const beside = [
    ...draft.writes(),
    ...early.flatMap(({ stay }) => movedEntry(entries.get(stay), { start_at: stay.start_at })),
    ...early.map(({ stay, time }) => emitTime(ctx, stay, time)),
  ];
  return { beside };
};

/** Reads the calendars of early stays and their entries, in one round trip; without any it makes no request. */
const readHours = async ({ table, clock }: Context, early: readonly EarlyStay[]) => {
  const times = early.map(({ time }) => time);
  const reads = early.map(({ stay }) => readOf(AvailabilityEntryEntity, entryOf(stay)));
  const [draft, found] = await Promise.all([
    CalendarDraft.load(table, times, clock.now()),
    reads.length === 0 ? [] : table.getAll(reads),
  ]);
  return { draft, entries: new Map(early.map(({ stay }, at) => [stay, found[at]])) };
};

/** Returns from when on the rest of a time is free, after hours that are closed to sale already: its end, where none is. */
const freeFrom = async (ctx: Context, draft: CalendarDraft, { stay, time }: EarlyStay): Promise<string> => {
  const taken = draft.taken(time);
  const [first] = taken;
  if (!first) return time.start_at;
  const takers = await takersOf(ctx, time);
  // Another request has checked this guest in, or what had the hours is gone.
  const isOwn = takers.some(({ entry }) => entry.reservation_id === stay.reservation_id);
  if (isOwn || takers.length === 0) throw new ConflictError('CalendarMonth');
  const now = toLocal(ctx.clock.now(), stay.timezone);
  const refusing = takers.filter((taker) => refusesArrival(taker, now));
  if (refusing.length > 0) throw notYet(time, taken, refusing);
  // A stay has one stretch of hours: free ones before what is closed would stay open to others.
  if (taken.length > 1 || first.start_at > time.start_at) throw notYet(time, taken, takers);
  return first.end_at;
};

const notYet = (
  { end_at }: LocalRange,
  taken: readonly TakenTime[],
  takers: Awaited<ReturnType<typeof takersOf>>,
): ServiceError => {
  const { code, details } = notAvailable(taken);
  const message = `A check-in before ${end_at} takes the hours until then, and ${takers.map(takerText).join(', ')}.`;
  return new ServiceError(code, message, { ...details, taken_by: takers.map(takerDetails) });
};

/** What a calendar that leads a stay writes of its entry (D120). */
const ledFields = ['feed_id', 'event_key'] as const satisfies (keyof AvailabilityEntry)[];

/** Returns the writes that move the beginning of an entry; they conflict if a calendar leads it otherwise since it was read. */
const movedEntry = (
  entry: AvailabilityEntry | undefined,
  begins: Pick<AvailabilityEntry, 'start_at' | 'booked_from'>,
): Write[] => {
  if (!entry) throw new ConflictError('AvailabilityEntry');
  const { booked_from: _, ...rest } = entry;
  const asRead = ledFields.map((name) => {
    const value = entry[name];
    return value === undefined ? lacks(name) : equals(name, value);
  });
  return [
    remove(AvailabilityEntryEntity, entry, { when: all(...asRead) }),
    put(AvailabilityEntryEntity, { ...rest, ...begins }),
  ];
};
