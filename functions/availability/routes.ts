import * as z from 'zod';
import {
  Availability,
  availabilityQuery,
  AvailabilityState,
  BlockRequest,
  ListingAvailability,
  listingAvailabilityExample,
} from '../../shared/domain/calendar/availability.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { DateText, PathId, queryNumber } from '../../shared/platform/schema/schema.ts';
import { isDate } from '../../shared/platform/time/time.ts';

const listingId = z.strictObject({ listing_id: PathId });

const entry = {
  id: exampleIds.block,
  listing_id: 4711,
  reservation_id: null,
  date: '2027-02-04',
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  state: 'BOOKED',
  locked_until: null,
  note: null,
  created_at: '2027-01-20T08:00:00.000Z',
} as const;

const blocked = {
  ...entry,
  start_at: '2027-02-10T00:00:00',
  end_at: '2027-02-11T00:00:00',
  date: '2027-02-10',
  state: 'BLOCKED',
  note: 'Painting',
} as const;

const CompactTime = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])[0-5]\d$/, {
    error: 'must be written as YYYY-MM-DDTHHmm',
    abort: true,
  })
  .refine((text) => isDate(text.slice(0, 10)), 'must be a real calendar date')
  .meta({
    description: "The listing's local time, YYYY-MM-DDTHHmm without colon.",
  });

/** Calendars: what is taken, what is free, and the host's blocks (D24–D31). */
export const availabilityRoutes = defineRoutes('availability', {
  readMonth: {
    method: 'GET',
    path: '/api/v1/listing-availability/listings/{listing_id}/calendar',
    access: 'customer',
    objective: 'search',
    tag: 'Availability',
    summary: 'The entries of one month',
    params: listingId,
    query: z.strictObject({
      year: queryNumber(z.int().min(2000).max(2199))
        .optional()
        .meta({ description: 'Default: the current year.' }),
      month: queryNumber(z.int().min(1).max(12))
        .optional()
        .meta({ description: 'Default: the current month.' }),
    }),
    status: 200,
    reply: z.array(Availability),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: [entry] },
  },
  readRange: {
    method: 'GET',
    path: '/api/v1/listing-availability/listings/{listing_id}',
    access: 'customer',
    objective: 'search',
    tag: 'Availability',
    summary: 'The entries of a range of dates, or its free gaps',
    description:
      'From today on and for 365 days by default, at most 1,096 days, both dates inclusive; `state=AVAILABLE` answers the free gaps with id 0.',
    params: listingId,
    query: z.strictObject({
      start_date: DateText.optional(),
      end_date: DateText.optional().meta({
        description: 'Inclusive; 365 days when absent, at most 1,096.',
      }),
      state: AvailabilityState.optional(),
    }),
    status: 200,
    reply: z.array(Availability),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: [entry] },
  },
  listUnavailableHours: {
    method: 'GET',
    path: '/api/v1/listing-availability/listings/{listing_id}/calendars/unavailable',
    access: 'customer',
    objective: 'search',
    tag: 'Availability',
    summary: 'The start of every taken hour of a range',
    params: listingId,
    query: z.strictObject({ start_time: CompactTime, end_time: CompactTime }),
    status: 200,
    reply: z.array(z.string()),
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      query: { start_time: '2027-02-11T1400', end_time: '2027-02-11T1600' },
      reply: ['2027-02-11T1400', '2027-02-11T1500'],
    },
  },
  blockTime: {
    method: 'POST',
    path: '/api/v1/listing-availability/listings/{listing_id}/blocks',
    access: 'host',
    permission: 'operate',
    tag: 'Availability',
    summary: 'Blocks a date or an interval',
    params: listingId,
    body: BlockRequest,
    status: 201,
    reply: Availability,
    errors: ['LISTING_NOT_FOUND', 'LISTING_NOT_AVAILABLE'],
    idempotent: true,
    examples: { body: { block_date: '2027-02-10', note: 'Painting' }, reply: blocked },
  },
  unblockTime: {
    method: 'DELETE',
    path: '/api/v1/listing-availability/listings/{listing_id}/blocks/{availability_id}',
    access: 'host',
    permission: 'operate',
    tag: 'Availability',
    summary: 'Lifts a block',
    params: z.strictObject({ listing_id: PathId, availability_id: PathId }),
    status: 200,
    reply: z.object({ message: z.string(), availability_id: z.int() }).meta({ id: 'UnblockedTime' }),
    errors: ['LISTING_NOT_FOUND', 'NOT_FOUND'],
    examples: { reply: { message: 'Block removed', availability_id: exampleIds.block } },
  },
  readAvailability: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/availability',
    access: 'customer',
    objective: 'search',
    tag: 'Availability',
    summary: 'Availability and prices by day or by hour',
    params: listingId,
    query: availabilityQuery,
    status: 200,
    reply: ListingAvailability,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: listingAvailabilityExample },
  },
});
