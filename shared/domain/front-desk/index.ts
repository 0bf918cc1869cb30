export { listImportedStays } from './imported-stays.ts';
export { readTeamCalendar } from './team-calendar.ts';
export { readToday } from './today.ts';
