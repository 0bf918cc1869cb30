export { CalendarDraft, type ListingTime, monthRead, notAvailable } from './calendar-draft.store.ts';
export {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  type CalendarMonth,
  CalendarMonthEntity,
  calendarOf,
  calendarPartition,
  affectsListing,
  type HourHold,
  isLongStay,
  type LocalRange,
  overlappingEntries,
  overlaps,
} from './calendar.store.ts';
export {
  hourNumber,
  type Hours,
  hoursInMonth,
  hourText,
  monthsBetween,
  monthSpans,
  noHours,
  takenWithin,
  wholeHours,
  withoutSpan,
  withSpan,
} from './hours.rules.ts';
export { committedHours, type HourStretch } from './committed-hours.store.ts';
export { emptyMonth, normalised } from './month.rules.ts';
