export { CalendarDraft, monthRead, type Hold, type ListingTime, type TakenTime } from './calendar-draft.ts';
export {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  calendarPartition,
  CalendarMonthEntity,
  isLongStay,
} from './calendar.entity.ts';
export { confirmHolds, extendHolds } from './confirm-holds.ts';
export { hourNumber, monthsBetween, wholeHours } from './hours.ts';
export { committedHours, type HourStretch } from './hours-for-good.ts';
export { moveCalendar } from './move-calendar.ts';
export { notAvailable } from './not-available.ts';
export { type LocalRange, overlappingEntries, overlaps } from './calendar.store.ts';
export { calendarOf, concerns } from './listing-calendar.ts';
