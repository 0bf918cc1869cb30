import * as z from 'zod';
import { auditBooking, auditListing, auditSince } from '../../shared/domain/audit/index.ts';
import { Id, Instant } from '../../shared/platform/schema/schema.ts';
import { defineCommand } from './command.ts';
import { wholeNumber } from './fields.ts';

const RecordId = wholeNumber(Id);

/** Commands that compare records and change nothing. */
export const auditCommands = {
  booking: defineCommand({
    summary: 'Compares a booking with its calendar, payments, refunds and events',
    changes: false,
    input: z.strictObject({ booking: RecordId.describe('<id> of a booking or of its master') }),
    run: ({ deps }, { booking }) => auditBooking(deps, booking),
  }),
  listing: defineCommand({
    summary: 'Compares the whole calendar of a listing and its family with their bookings',
    changes: false,
    input: z.strictObject({ listing: RecordId.describe('<id> of the listing') }),
    run: ({ deps }, { listing }) => auditListing(deps, listing),
  }),
  since: defineCommand({
    summary: 'Compares everything that has moved since an instant, in every team',
    changes: false,
    input: z.strictObject({ from: Instant.describe('<instant> such as 2027-01-15T00:00:00Z') }),
    run: ({ deps }, { from }) => auditSince(deps, Date.parse(from)),
  }),
};
