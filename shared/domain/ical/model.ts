export { CalendarFeed, CalendarFeeds, ExportAddress, FollowRequest } from './ical.schema.ts';
export {
  dueFeeds,
  FeedContentsEntity,
  FeedExportEntity,
  type FeedIds,
  FeedRevisionEntity,
  feedShards,
  FeedTokenEntity,
  FollowedFeedEntity,
} from './ical.store.ts';
