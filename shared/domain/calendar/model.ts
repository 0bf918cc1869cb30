export type { TakenLabel } from './availability.schema.ts';
export { CalendarDraft } from './calendar-draft.store.ts';
export { type ListingTime, notAvailable, type TakenTime } from './taken-time.rules.ts';
export {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  type CalendarMonth,
  CalendarMonthEntity,
  type ImportedStay,
  isLongStay,
  type MonthIds,
  monthReads,
  monthsOfChildren,
  overlappingEntries,
  readFamily,
  readMonths,
  writtenMonths,
} from './calendar.store.ts';
export {
  calendarOf,
  affectsListing,
  type LocalRange,
  overlaps,
  preparationOf,
  stayTime,
} from './listing-time.rules.ts';
export { familyLabel, importNote, labelOf, preparationLabel, unlabelled } from './entry-label.rules.ts';
export {
  hourNumber,
  type Hours,
  hoursInMonth,
  hourText,
  monthsBetween,
  monthSpans,
  noHours,
  takenUntil,
  takenWithin,
  wholeHours,
  withoutSpan,
  withSpan,
} from './hours.rules.ts';
export { committedHours, type HourStretch, joinAdjacentHours } from './committed-hours.store.ts';
export { type FamilyMonth, familyMonths } from './month.rules.ts';
export { isLiveLock, isUnavailable, unavailableHours } from './overlap.rules.ts';
export {
  arrivingStays,
  endedStays,
  findImportedStay,
  leavingStays,
  pageArrivingStays,
} from './imported-stays.store.ts';
export { replaceMonths } from './replace-months.store.ts';
