import {
  ImportedStay,
  importedStayExample,
  importedStaysQuery,
} from '../../shared/domain/front-desk/imported-stay.schema.ts';
import {
  TeamCalendar,
  teamCalendarExample,
  teamCalendarQuery,
} from '../../shared/domain/front-desk/team-calendar.schema.ts';
import { Today, todayExample } from '../../shared/domain/front-desk/today.schema.ts';
import { pageOf } from '../../shared/platform/schema/schema.ts';

/** What a team's day is made of (D95, D120). */
export const deskRows = {
  readToday: {
    method: 'GET',
    path: '/api/v1/today',
    access: 'host',
    permission: 'read',
    tag: 'Bookings',
    summary: 'What the acting team has to do today',
    description:
      'Today by the time zone of each listing. A booking may be in several lists, each by `start_at`.',
    status: 200,
    reply: Today,
    errors: [],
    examples: { reply: todayExample },
  },
  readTeamCalendar: {
    method: 'GET',
    path: '/api/v1/calendar/team',
    access: 'host',
    permission: 'read',
    tag: 'Availability',
    summary: 'What is taken and what is free in the acting team’s listings',
    description:
      'Both dates inclusive, in the local time of each listing; newest listings first, ARCHIVED ones left out.',
    query: teamCalendarQuery,
    status: 200,
    reply: TeamCalendar,
    errors: [],
    examples: { query: { from: '2027-02-11', to: '2027-02-12' }, reply: teamCalendarExample },
  },
  listImportedStays: {
    method: 'GET',
    path: '/api/v1/imported-stays',
    access: 'host',
    permission: 'read',
    tag: 'Bookings',
    summary: 'Stays of other platforms in the acting team’s listings, by arrival',
    description:
      'Events of followed calendars that count as stays, as `counts_as` of the calendar says, and are no bookings here. Those that arrive from `from` to `to`, both inclusive, in the local time of each listing; until two days after they have ended. The list may lag by a second.',
    query: importedStaysQuery,
    status: 200,
    reply: pageOf(ImportedStay),
    errors: [],
    examples: {
      query: { from: '2027-02-01', to: '2027-02-28' },
      reply: {
        ...{ items: [importedStayExample], total: 1, total_is_exact: true, page: 1, limit: 20 },
        ...{ total_pages: 1, next_cursor: null },
      },
    },
  },
} as const;
