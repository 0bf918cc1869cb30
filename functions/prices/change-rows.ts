import {
  ListingChanges,
  listingChangesExample,
  listingChangesQuery,
} from '../../shared/domain/listing/listing-changes.schema.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { listingId } from './stay-rule-rows.ts';

/** Who has changed what of a listing (D96). */
export const changeRows = {
  listListingChanges: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/changes',
    access: 'host',
    permission: 'read',
    tag: 'Listings',
    summary: 'Changes of a listing, its prices and its rules: who, when, what it was and is, newest first',
    description:
      'Every change of the listing, its images, policies and parking rules, its prices, its stay rules, and blocks in bulk, for 400 days. A line has what one request has changed. A page of large changes is shorter than `limit`.',
    params: listingId,
    query: listingChangesQuery,
    status: 200,
    reply: ListingChanges,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: listingChangesExample },
  },
} as const satisfies Routes;
