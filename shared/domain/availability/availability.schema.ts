import * as z from 'zod';
import { CurrencyCode, DateText, Id, Instant, LocalDateTime, Money } from '../../platform/schema.ts';

export const AvailabilityState = z
  .enum(['AVAILABLE', 'BOOKED', 'BLOCKED', 'SOFT_LOCK'])
  .meta({ description: 'Spec 3.4.' });
export type AvailabilityState = z.infer<typeof AvailabilityState>;

/** A stay, lock or block, or a free gap with id 0 (spec 2.8, D27, D28). `start_at` and `end_at` are the listing's local time. */
export const Availability = z.object({
  id: z.int().min(0).meta({ description: '0 for a free gap (D28).' }),
  listing_id: Id,
  reservation_id: Id.nullable(),
  date: DateText,
  start_at: LocalDateTime,
  end_at: LocalDateTime,
  state: AvailabilityState,
  locked_until: Instant.nullable(),
  note: z.string().nullable(),
  created_at: Instant.nullable(),
});
export type Availability = z.infer<typeof Availability>;

export const BlockRequest = z
  .strictObject({
    block_date: DateText.optional(),
    date: DateText.optional().meta({ description: 'Alias of `block_date`; the same when both are given.' }),
    start_at: LocalDateTime.optional(),
    end_at: LocalDateTime.optional(),
    note: z.string().max(1000).nullish(),
  })
  .meta({ description: 'A whole local day, or an interval (D30).' });
export type BlockRequest = z.infer<typeof BlockRequest>;

/** Prices and availability by day (D31): `available` means that the night beginning on that date can be booked. */
export const DayAvailability = z.object({
  date: DateText,
  state: AvailabilityState,
  available: z.boolean(),
  price: Money,
  pricing_rule_id: Id.nullable(),
});

export const HourAvailability = z.object({
  start_at: LocalDateTime,
  end_at: LocalDateTime,
  state: AvailabilityState,
  available: z.boolean(),
  price: Money.nullable(),
});

const head = { listing_id: Id, currency: CurrencyCode, timezone: z.string() };

export const ListingAvailability = z.discriminatedUnion('granularity', [
  z.object({ ...head, granularity: z.literal('day'), items: z.array(DayAvailability) }),
  z.object({ ...head, granularity: z.literal('hour'), items: z.array(HourAvailability) }),
]);
export type ListingAvailability = z.infer<typeof ListingAvailability>;
