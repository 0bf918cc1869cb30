export { CalendarDraft, monthRead, type Hold, type ListingTime, type TakenTime } from './calendar-draft.ts';
export {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  calendarPartition,
  CalendarMonthEntity,
} from './calendar.entity.ts';
export { confirmHold, extendHold } from './confirm-hold.ts';
export { monthsBetween } from './hours.ts';
export { notAvailable } from './not-available.ts';
