export { exportCalendar } from './export-calendar.ts';
export { listFeeds } from './list-feeds.ts';
export { markFeedChanged } from './mark-feed-changed.ts';
