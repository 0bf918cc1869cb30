export { CalendarDraft, type ListingTime, monthRead, notAvailable } from './calendar-draft.store.ts';
export {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarMonthEntity,
  calendarOf,
  affectsListing,
  isLongStay,
  type LocalRange,
  overlappingEntries,
  overlaps,
} from './calendar.store.ts';
export { hourNumber, monthsBetween, wholeHours } from './hours.rules.ts';
export { committedHours, type HourStretch } from './committed-hours.store.ts';
