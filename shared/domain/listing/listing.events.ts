import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id } from '../../platform/schema/schema.ts';
import { hostOnly } from './host-only.data.ts';
import { ListingState } from './listing-state.schema.ts';

const Listing = z.object({ id: Id.meta({ description: 'The listing.' }), state: ListingState });
const Updated = Listing.extend({
  changed: z.array(z.string()).meta({ description: 'The fields that have changed.' }),
});

/** Fields that only hosts see (D15) are not published to partners. */
const withoutHostOnly = (fields: string[]): string[] =>
  fields.filter((field) => !Object.hasOwn(hostOnly, field));

export const listingEvents = {
  'listing.created': defineEvent({
    meaning: 'A listing was made.',
    data: Listing,
    partners: Listing,
    example: { id: 4711, state: 'DRAFT' },
  }),
  'listing.updated': defineEvent({
    meaning: 'A listing, or one of its prices or rules, has changed.',
    data: Updated,
    partners: Updated.extend({ changed: Updated.shape.changed.overwrite(withoutHostOnly) }),
    example: { id: 4711, state: 'ACTIVE', changed: ['full_rate'] },
  }),
  'listing.archived': defineEvent({
    meaning: 'A listing was archived and does not come back.',
    data: Listing,
    partners: Listing,
    example: { id: 4711, state: 'ARCHIVED' },
  }),
} as const;
