import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Id,
  Instant,
  Money,
  SignedMoney,
  TimeText,
} from '../../platform/schema/schema.ts';
import { BookingDetail, Refund } from '../booking/booking.schema.ts';
import { adjustmentFields, Adjustments, checkAdjustment } from '../pricing/adjustment.schema.ts';
import { ItemQuote } from '../pricing/quote.schema.ts';

const ownTime = { description: 'null: the time of the listing itself.' };

/** The request for another time, home or party of a stay (D84). What is left out stays as it is. */
export const ChangeRequest = z
  .strictObject({
    check_in_date: DateText.optional(),
    check_out_date: DateText.optional(),
    check_in_time: TimeText.nullish().meta(ownTime),
    check_out_time: TimeText.nullish().meta(ownTime),
    listing_id: Id.optional().meta({ description: 'Another listing of the same team.' }),
    guest_number: z.int().min(1).optional(),
    adult_number: z.int().min(0).optional(),
    children_number: z.int().min(0).optional(),
    extra_service_ids: z.array(Id).max(100).optional().meta({
      description: 'All extra services of the stay; left out: those that it has, of another listing none.',
    }),
    expected_difference: SignedMoney.optional().meta({
      description: 'The difference of a preview. PRICE_CHANGED if it is another by now.',
    }),
    payment_gateway_token: z.string().min(1).max(500).optional().meta({
      description:
        'Charged for what the change of a booking that was paid online costs more; without it `change.payment_url` is where that is paid. Refused for any other booking, and with `charge_later`.',
    }),
    charge_later: z.boolean().optional().meta({
      description:
        'For hosts: the change of a paid booking stands at once although it costs more; the difference is due.',
    }),
    adjustments: Adjustments.optional().meta({
      description:
        'For hosts: all that is added to the price or taken off it; left out: what the stay has. Sent alone it may come until the end of the stay and after it.',
    }),
    price: z.literal('KEEP').optional().meta({
      description: 'For hosts: the stay costs what it cost, by an adjustment with the reason RELOCATION.',
    }),
    total_price: Money.optional().meta({
      description:
        'For hosts, of a stay of a platform (`payment_method` PLATFORM), and alone: what the platform has sold it for by now. It collects or refunds the difference.',
    }),
    as_credit: z
      .boolean()
      .optional()
      .meta({ description: 'For hosts: what a paid stay costs less is not refunded, but stays as credit.' }),
    override_rules: z
      .boolean()
      .optional()
      .meta({ description: "For hosts: takes what the listing's own stay rules refuse." }),
  })
  .meta({ id: 'ChangeBooking' });
export type ChangeRequest = z.infer<typeof ChangeRequest>;

/** An adjustment of one stay, and how it is settled (D121). */
export const AdjustRequest = z
  .strictObject({
    ...adjustmentFields,
    charge_later: ChangeRequest.shape.charge_later,
    as_credit: ChangeRequest.shape.as_credit,
  })
  .check(checkAdjustment)
  .meta({ id: 'AdjustBooking' });
export type AdjustRequest = z.infer<typeof AdjustRequest>;

const changeFields = {
  difference: SignedMoney.meta({
    description:
      'The new price less the present one: above 0 it is due, below 0 it is refunded if it was paid.',
  }),
  refund: Refund.meta({ description: 'What is refunded now: nothing of a booking that is not paid.' }),
  amount_due: Money.meta({ description: 'What is to be paid for the stay after the change.' }),
};

/** The result of a change, before it is made. */
export const ChangePreview = z
  .object({
    booking_id: Id,
    ...changeFields,
    currency: CurrencyCode,
    was: ItemQuote.meta({ description: 'The price of the stay as it is booked.' }),
    now: ItemQuote.meta({
      description: 'The price after the change: nights that stay keep the price that they were sold at.',
    }),
    available: z.boolean().meta({ description: 'Whether the new time is free right now.' }),
    cancellation_deadline: Instant.nullable().meta({
      description: 'Until then a cancellation refunds in full after the change; never later than before.',
    }),
  })
  .meta({ id: 'ChangePreview' });
export type ChangePreview = z.infer<typeof ChangePreview>;

export const ChangedBooking = BookingDetail.extend({
  change: z
    .object({
      ...changeFields,
      payment_url: z.string().nullable().optional().meta({
        description:
          'Where the difference is to be paid. The booking stays as it is until then; its new time is held.',
      }),
      payment_expires_at: Instant.optional().meta({
        description: 'Until when it can be paid; then the new time is free again.',
      }),
    })
    .meta({ id: 'BookingChangeResult' }),
}).meta({ id: 'ChangedBooking' });
export type ChangedBooking = z.infer<typeof ChangedBooking>;

/** What a guest has changed by the link (D122). */
export const ChangedByGuest = ChangedBooking.pick({ id: true, state: true, change: true }).meta({
  id: 'ChangedByGuest',
});
