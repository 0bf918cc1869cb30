import * as z from 'zod';
import { PaymentStatus } from '../booking/booking-state.schema.ts';
import { CurrencyCode, DateText, Id, Instant, LocalDateTime, Money } from '../../platform/schema/schema.ts';

export const AvailabilityState = z.enum(['AVAILABLE', 'BOOKED', 'BLOCKED', 'SOFT_LOCK']).meta({
  id: 'AvailabilityState',
  description: 'What takes the time, if anything: SOFT_LOCK ends by itself.',
});
export type AvailabilityState = z.infer<typeof AvailabilityState>;

/** What a team's hosts see of an entry beside its time (D125). */
export const TakenLabel = z.object({
  kind: z.enum(['STAY', 'HOLD', 'BLOCK', 'IMPORTED', 'PREPARATION', 'FAMILY']).meta({
    id: 'TakenKind',
    description:
      'STAY: a booking of this listing; HOLD: a soft lock; BLOCK: by a host; IMPORTED: by a followed calendar; PREPARATION: the hours after a booking; FAMILY: any of these, of the parent or of a child.',
  }),
  availability_id: Id.nullable().meta({
    description:
      'Of the entry that takes the time, of PREPARATION the one that it follows; null: not known yet.',
  }),
  booking_id: Id.nullable().meta({ description: 'Of STAY, and of PREPARATION after one.' }),
  source: z.string().nullable().meta({
    description:
      'Of IMPORTED the host name of the calendar, or of a stay its `label`; of STAY its `external_system`; null: of Nightlatch itself.',
  }),
  summary: z.string().nullable().meta({
    description: 'Of IMPORTED that counts as a stay: what the platform calls it.',
  }),
  because_of: Id.nullable().meta({
    description:
      'The listing whose entry takes the time: of FAMILY the parent or child; of IMPORTED the parent, where its calendar brought it.',
  }),
  payment: z
    .object({
      status: PaymentStatus,
      due: Money.meta({ description: 'What is to be paid now, as `amount_due` of the booking.' }),
      currency: CurrencyCode,
    })
    .meta({ id: 'TakenPayment' })
    .nullable()
    .meta({ description: 'Of STAY.' }),
});
export type TakenLabel = z.infer<typeof TakenLabel>;

/** A stay, lock or block, or a free gap with id 0 (D27, D28). `start_at` and `end_at` are local time. */
export const Availability = z
  .object({
    id: z
      .int()
      .min(0)
      .meta({ description: '0 for a free gap and for preparation: neither is an entry of its own.' }),
    listing_id: Id,
    reservation_id: Id.nullable(),
    date: DateText,
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    state: AvailabilityState,
    locked_until: Instant.nullable(),
    note: z.string().nullable().meta({
      description:
        'For hosts. `preparation`: the hours that are taken after a stay, which cannot be unblocked.',
    }),
    created_at: Instant.nullable(),
    ...TakenLabel.partial().shape,
  })
  .meta({
    id: 'Availability',
    description: 'From `kind` on for hosts of the team alone, of what is taken.',
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
  .meta({
    id: 'BlockRequest',
    description:
      'The night of a date (by the hour: its local day too), or an interval; a date given with `start_at` and `end_at` must be that of `start_at`.',
  });
export type BlockRequest = z.infer<typeof BlockRequest>;

const DayAvailability = z
  .object({
    date: DateText,
    state: AvailabilityState,
    available: z.boolean().meta({
      description:
        'The night that begins on this date can be booked: it is free, with the `preparation_hours` after it, not `closed` by a stay rule, the listing is ACTIVE, and the date is neither past nor too far ahead.',
    }),
    price: Money.meta({
      description:
        'What the night that begins on this date adds to `base_price`: the price of the matching PER_NIGHT rule for overnight stays, else of its weekday, else `full_rate`. Prices of the whole stay are not included: PER_BOOKING, PACKAGE and PER_MONTH rules, combos, discounts and fees; the price preview has them.',
    }),
    pricing_rule_id: Id.nullable().meta({ description: 'The rule that `price` comes from.' }),
    min_nights: z.int().meta({ description: 'The fewest nights of a stay that begins on this date.' }),
    can_arrive: z.boolean().meta({
      description: 'The night is available, and the stay rules let a stay begin on this date.',
    }),
    can_depart: z.boolean().meta({ description: 'The stay rules let a stay end on this date.' }),
    max_nights: z.int().nullable().meta({
      description: 'The most nights of a stay that begins on this date; null: no stay rule limits them.',
    }),
  })
  .meta({ id: 'DayAvailability' });

const HourAvailability = z
  .object({
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    state: AvailabilityState,
    available: z.boolean().meta({
      description:
        'The hour is free, with the `preparation_hours` after it, the listing is ACTIVE, and an hourly stay may begin in it: not past, nor too far ahead, nor behind the check-in cut-off.',
    }),
    price: Money.nullable().meta({
      description:
        'The price of each of the first `min_hours` hours of an hourly stay on this date: the PER_HOUR rule’s price, else `price_first_hours` divided by their number and rounded half-up to the minor unit, else `price_per_hour`. Later hours cost `extra_hour_price` where `price_first_hours` is set. Combos, discounts and fees are not included; the price preview has them. Null where the listing takes no hourly stay.',
    }),
  })
  .meta({ id: 'HourAvailability' });

const head = { listing_id: Id, currency: CurrencyCode, timezone: z.string() };

export const ListingAvailability = z
  .discriminatedUnion('granularity', [
    z
      .object({ ...head, granularity: z.literal('day'), items: z.array(DayAvailability) })
      .meta({ id: 'AvailabilityByDay' }),
    z
      .object({ ...head, granularity: z.literal('hour'), items: z.array(HourAvailability) })
      .meta({ id: 'AvailabilityByHour' }),
  ])
  .meta({ id: 'ListingAvailability' });
export type ListingAvailability = z.infer<typeof ListingAvailability>;

/** Query of the availability of a listing. */
export const availabilityQuery = z.strictObject({
  start_date: DateText.optional(),
  end_date: DateText.optional().meta({ description: 'Inclusive; 90 days when absent, at most 366.' }),
  granularity: z.enum(['day', 'hour']).default('day'),
});

/** Example of an availability by day. */
export const listingAvailabilityExample = {
  listing_id: 4711,
  currency: 'VND',
  timezone: 'Asia/Ho_Chi_Minh',
  granularity: 'day' as const,
  items: [
    {
      date: '2027-02-04',
      state: 'AVAILABLE' as const,
      available: true,
      price: 1_000_000,
      pricing_rule_id: null,
      min_nights: 1,
      can_arrive: true,
      can_depart: true,
      max_nights: null,
    },
    {
      date: '2027-02-05',
      state: 'BOOKED' as const,
      available: false,
      price: 2_000_000,
      pricing_rule_id: 91,
      min_nights: 1,
      can_arrive: false,
      can_depart: true,
      max_nights: null,
    },
  ],
};
