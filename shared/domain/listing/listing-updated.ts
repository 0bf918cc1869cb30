import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../../record-event.ts';
import type { Write } from '../../platform/table/index.ts';
import { type Listing, listingPartition } from './listing.entity.ts';

/** The event of a listing that changed: which fields, or which of the records around it (D61). */
export const listingUpdated = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { id, team_id, state }: Pick<Listing, 'id' | 'team_id' | 'state'>,
  changed: string[],
): Write =>
  recordEvent(ctx, {
    subject: listingPartition(id),
    event_type: 'listing.updated',
    team_id,
    data: { id, state, changed },
  });
