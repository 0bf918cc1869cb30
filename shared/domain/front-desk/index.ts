export { readTeamCalendar } from './team-calendar.ts';
export { readToday } from './today.ts';
