import * as z from 'zod';
import { DateText, Id, Money, TimeText } from '../../platform/schema.ts';
import { PaymentMethod } from '../payment/payment-method.schema.ts';
import { Language, Phone } from '../people/user.schema.ts';
import { Booking, BookingDetail, guestNoteFields } from './booking.schema.ts';

/** An optional field that may also be null. */
const orAbsent = <T extends z.ZodType>(field: T) => field.nullish().transform((value) => value ?? undefined);

/** A guest without an account (D52, D102). */
export const GuestInfo = z
  .strictObject({
    full_name: z.string().trim().min(1).max(255),
    phone: Phone,
    email: z.email().max(254),
    language: orAbsent(Language).meta({
      description: "Language of the guest's mails; left out: that of the team, else `vi`.",
    }),
  })
  .meta({ id: 'GuestInfo' });
export type GuestInfo = z.infer<typeof GuestInfo>;

export const ExternalBookingRequest = z
  .strictObject({
    listing_id: Id,
    guest_info: GuestInfo,
    check_in_date: DateText,
    check_out_date: DateText,
    check_in_time: orAbsent(TimeText),
    check_out_time: orAbsent(TimeText),
    guest_number: z.int().min(1),
    adult_number: orAbsent(z.int().min(0)),
    children_number: orAbsent(z.int().min(0)),
    combo_id: orAbsent(Id),
    extra_service_ids: orAbsent(z.array(Id).max(100)),
    nights: z.int().min(0).meta({ description: 'Must match the dates.', example: 3 }),
    payment_method: PaymentMethod,
    expected_total: orAbsent(Money),
    ...guestNoteFields,
    external_system: orAbsent(z.string().trim().min(1).max(64)),
    external_booking_id: orAbsent(z.string().trim().min(1).max(255)).meta({
      description: 'Required with external_system. Unique for the key and the system, or without one.',
    }),
  })
  .meta({ id: 'ExternalBookingRequest' });
export type ExternalBookingRequest = z.infer<typeof ExternalBookingRequest>;

const hidden = { description: 'Null for a key without the scope `personal`, unless it made the booking.' };
const personalText = z.string().nullable().meta(hidden);

const personalFields = {
  guest_info: z
    .object({ name: personalText, full_name: personalText, phone: personalText, email: personalText })
    .meta({ id: 'ExternalBookingGuest' }),
};

/** A booking in a list of a key (D51, D93). */
export const ExternalBooking = Booking.extend(personalFields).meta({ id: 'ExternalBooking' });
export type ExternalBooking = z.infer<typeof ExternalBooking>;

/** A booking in detail as a key reads it (D51, D93). */
export const ExternalBookingDetail = BookingDetail.extend({
  ...personalFields,
  host_info: z.object({ name: z.string(), phone: personalText }).meta({ id: 'ExternalHostContact' }),
}).meta({ id: 'ExternalBookingDetail' });
export type ExternalBookingDetail = z.infer<typeof ExternalBookingDetail>;
