import * as z from 'zod';
import { DateText, Id, Instant, QueryBoolean, queryNumber } from '../../platform/schema/schema.ts';
import { BookingState, PaymentStatus } from './booking-state.schema.ts';

const date = (description: string) => DateText.optional().meta({ description });

/** Filters stays that overlap a range of dates. */
export const stayRangeFields = {
  from: date('Stays that end on this date or later.'),
  to: date('Stays that begin on this date or earlier.'),
};

/** Filter and sort fields of lists of bookings, to be spread into a route's query. */
export const bookingFilterFields = {
  state: BookingState.optional(),
  status: BookingState.optional().meta({ description: 'The same as `state`.' }),
  payment_status: PaymentStatus.optional(),
  listing_id: queryNumber(Id).optional(),
  check_in_from: date('Stays that begin on this date or later.'),
  check_in_to: date('Stays that begin on this date or earlier.'),
  check_out_from: date('Stays that end on this date or later.'),
  check_out_to: date('Stays that end on this date or earlier.'),
  updated_since: Instant.optional().meta({
    description: 'Bookings that were made or changed at this instant or later.',
  }),
  external_booking_id: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'The id that a partner gave the booking.',
      examples: ['SH-2027-0042'],
    }),
  q: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'A whole telephone number, e-mail address or booking id, or the beginnings of words of the guest’s name; case and diacritics do not matter.',
      examples: ['nguyen an'],
    }),
  sort_by: z.enum(['created_at', 'updated_at', 'check_in']).default('created_at').meta({
    description: 'By `created_at` at any length; by the others in lists of up to 100,000 bookings.',
  }),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
};

/** Filters by what those alone may know who read folios. */
export const hostFilterFields = {
  to_return: QueryBoolean.optional().meta({
    description: 'Whether `amount_to_return` or `deposit_to_return` is above 0.',
  }),
};

export type BookingFilter = Partial<
  z.infer<z.ZodObject<typeof bookingFilterFields & typeof stayRangeFields & typeof hostFilterFields>>
>;
