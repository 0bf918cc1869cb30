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
    options: { booking: { type: 'string', meaning: '<id> of a booking or of its master', required: true } },
    input: z.strictObject({ booking: RecordId }),
    run: ({ deps }, { booking }) => auditBooking(deps, booking),
  }),
  listing: defineCommand({
    summary: 'Compares the whole calendar of a listing and its family with their bookings',
    changes: false,
    options: { listing: { type: 'string', meaning: '<id> of the listing', required: true } },
    input: z.strictObject({ listing: RecordId }),
    run: ({ deps }, { listing }) => auditListing(deps, listing),
  }),
  since: defineCommand({
    summary: 'Compares everything that has moved since an instant, in every team',
    changes: false,
    options: { from: { type: 'string', meaning: '<instant> such as 2027-01-15T00:00:00Z', required: true } },
    input: z.strictObject({ from: Instant }),
    run: ({ deps }, { from }) => auditSince(deps, Date.parse(from)),
  }),
};
