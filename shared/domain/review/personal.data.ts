import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of reviews; the answer of the host is about the guest too. */
export const reviewData: Record<string, ClassifiedFields> = {
  Review: { none: 'reply.created_at created_at', personal: 'guest_name comment reply.text' },
};

/** The classes of the texts in the data of their events. */
export const reviewEventData: Record<string, ClassifiedFields> = {
  'review.created': { personal: 'comment' },
};
