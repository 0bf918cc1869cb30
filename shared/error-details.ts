import * as z from 'zod';
import { TakenLabel } from './domain/calendar/availability.schema.ts';
import { Preview, QuoteChange } from './domain/pricing/quote.schema.ts';
import { BrokenRule, NearestStay } from './domain/pricing/stay-rules.schema.ts';
import { keyScopes } from './platform/auth.ts';
import type { ErrorCode } from './platform/errors.ts';
import { DateText, Id, Instant, LocalDateTime, Money } from './platform/schema/schema.ts';

const issues = z.array(z.object({ path: z.string(), message: z.string() })).meta({
  description: 'Every problem of the request.',
});
const invalidField = z.object({ issues: issues.optional() });

const span = { listing_id: Id, start_at: LocalDateTime, end_at: LocalDateTime };
const takenTime = {
  unavailable: z.array(z.object(span)).meta({ description: 'What is taken.' }),
  free_again: z
    .array(z.object({ listing_id: Id, at: LocalDateTime.nullable() }))
    .meta({ description: 'When each listing is free again; null: beyond the months that were read.' }),
};

const verification = z.object({
  user_id: Id.optional(),
  verification_status: z.literal('PENDING').optional(),
  action_required: z.literal('VERIFY_EMAIL').optional(),
});

/** The `details` of each error code that has any (D7). */
export const errorDetails = {
  VALIDATION_ERROR: invalidField,
  EXTERNAL_INVALID_REQUEST: invalidField,
  EXTERNAL_INVALID_STATE: invalidField,
  EXTERNAL_INVALID_DATE_FORMAT: invalidField,
  PAYMENT_DECLINED: z.object({
    reason: z.string().nullable(),
    bookings: z.array(Id).optional(),
  }),
  FORBIDDEN: z.object({
    required_scope: z
      .enum(keyScopes)
      .optional()
      .meta({ description: 'The scope that the key does not have.' }),
    tries_left: z
      .int()
      .optional()
      .meta({ description: 'How many wrong digits the link of a guest still allows.' }),
  }),
  USER_NOT_VERIFIED: verification,
  EMAIL_NOT_VERIFIED: verification,
  PASSWORD_RESET_REQUIRED: z.object({ action_required: z.literal('RESET_PASSWORD') }),
  NOT_FOUND: z.object({
    did_you_mean: z.string().optional().meta({ description: 'The path that was probably meant.' }),
  }),
  LISTING_NOT_AVAILABLE: z.object({
    ...takenTime,
    soft_locks: z.array(z.object({ ...span, locked_until: Instant.nullable() })).optional(),
    taken_by: z
      .array(
        z.object({
          ...span,
          ...TakenLabel.pick({ kind: true, availability_id: true, booking_id: true, source: true }).shape,
          locked_until: Instant.nullable().meta({ description: 'Of HOLD.' }),
        }),
      )
      .optional()
      .meta({ description: 'Of a check-in: what has the hours before the stay.' }),
  }),
  STAY_NOT_ALLOWED: z.object({
    reasons: z.array(BrokenRule),
    nearest: z.array(NearestStay).meta({
      description:
        'For each refused stay, up to 3 of the same length within 14 days, allowed and free, the nearest first; one that is near two of them is named once.',
    }),
  }),
  PRICE_CHANGED: z.object({ preview: Preview, changes: z.array(QuoteChange) }),
  SLUG_ALREADY_EXISTS: z.object({ slug: z.string() }),
  INVALID_STATE_TRANSITION: z.object({
    state: z.string().nullable().optional(),
    allowed_from: z.array(z.string()).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    booking_id: Id.optional().meta({ description: 'What a quote was booked as.' }),
    key_id: Id.optional().meta({
      description: 'The key that a rotation has issued in the place of this one.',
    }),
    booking_ids: z.array(Id).optional(),
    availability_ids: z.array(Id).optional(),
    payment_window_ends_at: Instant.optional(),
    check_in_date: DateText.optional(),
    end_at: LocalDateTime.optional(),
    checked_in_at: Instant.optional(),
    cancellation_deadline: Instant.nullable().optional(),
    no_show_from: Instant.optional(),
    no_show_until: Instant.optional(),
    review_id: Id.optional(),
    replied_at: Instant.optional(),
    amount_due: Money.optional().meta({
      description: 'What was due of a booking that a transfer would restore.',
    }),
    authorised_from: Instant.optional(),
  }),
  TOO_MANY_UNPAID_BOOKINGS: z.object({ limit: z.int(), count: z.int(), bookings: z.array(Id) }),
  MANAGED_BY_CHANNEL: z.object({ external_system: z.string().nullable() }),
  EXTERNAL_BOOKING_ID_CONFLICT: z.object({ booking_id: Id }),
  CHECKOUT_EXPIRED: z.object(takenTime).partial(),
  CURSOR_OUT_OF_DATE: z.object({ cursor: z.string(), missed_since: Instant.nullable() }),
} satisfies Partial<Record<ErrorCode, z.ZodObject>>;
