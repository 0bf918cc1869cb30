export { changeFeed } from './change-feed.ts';
export { exportCalendar } from './export-calendar.ts';
export { calendarFetcher, type FeedDependencies, type FetchCalendar } from './fetch-calendar.ts';
export { followCalendar } from './follow-calendar.ts';
export { listFeeds } from './list-feeds.ts';
export { markFeedsChanged } from './mark-feeds-changed.ts';
export { rotateToken } from './rotate-token.ts';
export { syncFeed } from './sync-feed.ts';
export { unfollowCalendar } from './unfollow-calendar.ts';
