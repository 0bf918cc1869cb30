import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of calendars of other platforms; of an event only its key and times are kept. */
export const icalData: Record<string, ClassifiedFields> = {
  FeedToken: { none: 'created_at', secret: 'token' },
  FeedRevision: { none: 'changed_at' },
  FeedExport: { none: 'given[] created_at', secret: 'token' },
  FollowedFeed: {
    none: `url_hash last_synced_at problem etag fingerprint last_modified read_as conflicts[].start_at conflicts[].end_at
      created_at`,
    secret: 'url',
  },
  FeedContents: { none: 'url_hash events[] echoes[]' },
};

/** The classes of the texts in the data of their events. */
export const icalEventData: Record<string, ClassifiedFields> = {
  'calendar_feed.stale': { none: 'host problem last_synced_at' },
};
