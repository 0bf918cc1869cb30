import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of calendars. */
export const calendarData: Record<string, ClassifiedFields> = {
  CalendarMonth: { none: 'month timezone days{} locks{}.holder before.taken{} before.claims{}.holder' },
  AvailabilityEntry: {
    none: 'start_at end_at booked_from created_at event_key imported.timezone',
    // Of a guest without an account or address: nothing finds it but its words.
    free: 'note imported.label imported.summary',
  },
};
