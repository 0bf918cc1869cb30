import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of calendars of other platforms; of an event its key and times are kept here, its text with the block (`AvailabilityEntry`). */
export const icalData: Record<string, ClassifiedFields> = {
  FeedToken: { none: 'created_at', secret: 'token' },
  FeedRevision: { none: 'changed_at' },
  FeedExport: { none: 'given[] created_at', secret: 'token' },
  FollowedFeed: {
    none: `url_hash last_synced_at problem etag fingerprint last_modified read_as conflicts[].start_at conflicts[].end_at
      problems[] created_at texts`,
    free: 'label',
    secret: 'url',
  },
  FeedConflicts: { none: 'host conflicts[].start_at conflicts[].end_at', free: 'label' },
  FeedContents: { none: 'url_hash events[] echoes[]' },
};

/** The classes of the texts in the data of their events. */
export const icalEventData: Record<string, ClassifiedFields> = {
  'calendar.conflict': { none: 'host start_at end_at' },
  'calendar.conflict_ended': { none: 'host start_at end_at' },
  'calendar.quarantined': { none: 'host' },
  'calendar.stale': { none: 'host problem last_synced_at' },
  'calendar.read_in_part': { none: 'host problems[]' },
};
