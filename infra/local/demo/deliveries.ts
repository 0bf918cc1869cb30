import type { Consumer } from '../../../shared/subscriptions.ts';

const ofNewListings = (eventType: string): boolean => eventType === 'listing.created';

/**
 * What consumers need of the demo data, where that is not everything. Events are handled after all data is written, so the
 * indexes know a listing with its stays and reviews from its first event. Lists of stays are too short to be packed, no
 * platform has fetched an export, nothing was paid online, and the mailbox has only what happens after the start.
 */
const needs: Partial<Record<Consumer, (eventType: string) => boolean>> = {
  'search-index': ofNewListings,
  'list-index': ofNewListings,
  ical: () => false,
  refunds: () => false,
  notification: () => false,
};

/** Whether a consumer gets an event of the demo data: the fewer, the sooner the service is up. */
export const isNeededByDemo = (consumer: string, eventType: string): boolean =>
  needs[consumer as Consumer]?.(eventType) ?? true;
