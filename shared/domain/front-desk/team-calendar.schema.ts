import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Id,
  LocalDateTime,
  Money,
  pagingFields,
  queryNumber,
} from '../../platform/schema/schema.ts';
import { bookingExample } from '../booking/booking-example.schema.ts';
import { TakenLabel } from '../calendar/availability.schema.ts';
import { stayRulesExample } from '../pricing/stay-rules-example.schema.ts';
import { StayRules } from '../pricing/stay-rules.schema.ts';

export const mostCalendarDays = 62;

/** What takes time in a team's calendar (D95). */
const TakenState = z
  .enum([
    ...(['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED', 'NO_SHOW'] as const),
    ...(['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const),
  ])
  .meta({
    id: 'TakenState',
    description:
      'The state of a booking of this listing; BOOKED where a booking of its parent or of a child takes the time, and of one of the last seconds whose state is not known yet.',
  });

const TakenStretch = TakenLabel.extend({
  guest_name: z.string().nullable(),
  state: TakenState,
  start_at: LocalDateTime,
  end_at: LocalDateTime,
}).meta({
  id: 'TakenStretch',
  description:
    'Local time. A booking as a whole, until its guest left if that was earlier; of all others the whole hours within the range.',
});
export type TakenStretch = z.infer<typeof TakenStretch>;

const FreeNight = z
  .object({
    date: DateText,
    price: Money.meta({ description: 'As the availability of the listing by day has it.' }),
    min_nights: z.int().meta({ description: 'The fewest nights of a stay that begins on the date.' }),
    closed_to_arrival: z.boolean().meta({ description: 'By the stay rules no stay begins on the date.' }),
    closed: z.boolean().meta({ description: 'By the stay rules the night is not sold.' }),
  })
  .meta({ id: 'FreeNight' });

const ListingCalendar = z
  .object({
    listing_id: Id,
    listing_name: z.string(),
    parent_listing_id: Id.nullable(),
    timezone: z.string(),
    currency: CurrencyCode,
    allow_hourly_booking: z.boolean(),
    entries: z.array(TakenStretch).meta({ description: 'What takes time in the range, in order.' }),
    nights: z.array(FreeNight).meta({
      description: 'The nights that nothing takes, by the date on which they begin.',
    }),
    stay_rules: StayRules,
  })
  .meta({ id: 'ListingCalendar' });

export const TeamCalendar = z
  .object({ items: z.array(ListingCalendar), next_cursor: z.string().nullable() })
  .meta({ id: 'TeamCalendar' });
export type TeamCalendar = z.infer<typeof TeamCalendar>;

export const teamCalendarQuery = z.strictObject({
  from: DateText,
  to: DateText.meta({ description: `Inclusive; at most ${mostCalendarDays} days with \`from\`.` }),
  limit: queryNumber(z.int().min(1).max(100)).default(100).meta({ description: 'Listings a page.' }),
  cursor: pagingFields.cursor,
});
export type TeamCalendarQuery = z.infer<typeof teamCalendarQuery>;

export const teamCalendarExample: TeamCalendar = {
  items: [
    {
      listing_id: bookingExample.listing_id,
      listing_name: bookingExample.listing_name,
      parent_listing_id: null,
      timezone: bookingExample.timezone,
      currency: bookingExample.currency,
      allow_hourly_booking: false,
      entries: [
        {
          kind: 'STAY',
          availability_id: 5601,
          booking_id: bookingExample.id,
          source: bookingExample.external_system,
          summary: null,
          because_of: null,
          payment: {
            status: bookingExample.payment_status,
            due: bookingExample.amount_due,
            currency: bookingExample.currency,
          },
          guest_name: bookingExample.guest_info.name,
          state: 'CONFIRMED',
          start_at: bookingExample.start_at,
          end_at: bookingExample.end_at,
        },
      ],
      nights: [
        { date: '2027-02-12', price: 1_500_000, min_nights: 2, closed_to_arrival: false, closed: false },
      ],
      stay_rules: stayRulesExample,
    },
  ],
  next_cursor: null,
};
