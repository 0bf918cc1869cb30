import * as z from 'zod';
import { DateText, Id, lineOf, Money, TimeText } from '../../platform/schema/schema.ts';
import { PaymentMethod } from '../payment/payment-method.schema.ts';
import { Language, Phone } from '../people/user.schema.ts';
import { checkoutFields } from '../pricing/quote.schema.ts';
import { Booking, BookingDetail, guestNoteFields } from './booking.schema.ts';
import { guestUrlFields } from './guest-link.schema.ts';
import { pendingChangeFields } from './pending-change.schema.ts';

/** An optional field that may also be null. */
const orAbsent = <T extends z.ZodType>(field: T) => field.nullish().transform((value) => value ?? undefined);

/** A guest without an account (D52, D102). */
export const GuestInfo = z
  .strictObject({
    full_name: lineOf(255),
    phone: Phone,
    email: z.email().max(254).optional().meta({
      description:
        'Required of partners. A host may leave it out: the guest then gets no mails, and `guest_url` from the host.',
    }),
    language: orAbsent(Language).meta({
      description: "Language of the guest's mails; left out: that of the team, else `vi`.",
    }),
  })
  .meta({ id: 'GuestInfo' });
export type GuestInfo = z.infer<typeof GuestInfo>;

/** The fields of a single stay. */
const stayFields = {
  listing_id: Id,
  check_in_date: DateText,
  check_out_date: DateText,
  check_in_time: orAbsent(TimeText),
  check_out_time: orAbsent(TimeText),
  guest_number: z.int().min(1),
  adult_number: orAbsent(z.int().min(0)),
  children_number: orAbsent(z.int().min(0)),
  combo_id: orAbsent(Id),
  extra_service_ids: orAbsent(z.array(Id).max(100)),
  nights: z.int().min(0).meta({ description: 'Of a single stay; must match the dates.', example: 3 }),
};
export const ExternalStay = z.object(stayFields);
export type ExternalStay = z.infer<typeof ExternalStay>;

const stayNames = Object.keys(stayFields) as (keyof ExternalStay)[];
const requiredOfStay = {
  listing_id: 'a whole number',
  check_in_date: 'text',
  check_out_date: 'text',
  guest_number: 'a whole number',
  nights: 'a whole number',
};

type StaysOfRequest = Partial<Record<keyof ExternalStay | 'items' | 'quote_id', unknown>>;

/** Reported together with every other issue (D5). */
const anyObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null;

/** Reported with the other issues, unless the guest is no object at all. */
const hasGuest = (value: unknown): boolean =>
  anyObject({ value }) && anyObject({ value: (value as { guest_info?: unknown }).guest_info });

/** Whether a request names a single stay by its own fields. */
export const namesOneStay = ({ items, quote_id }: StaysOfRequest): boolean =>
  items === undefined && quote_id === undefined;

const externalBookingFields = {
  ...stayFields,
  listing_id: orAbsent(Id),
  check_in_date: orAbsent(DateText),
  check_out_date: orAbsent(DateText),
  guest_number: orAbsent(stayFields.guest_number),
  nights: orAbsent(stayFields.nights),
  items: checkoutFields.items
    .optional()
    .meta({ description: 'The stays of an order, all or nothing, in place of the fields of a single stay.' }),
  currency: checkoutFields.currency,
  quote_id: Id.optional().meta({
    description: 'Books what was quoted, in place of the fields of a stay; a held quote at its held price.',
  }),
  guest_info: GuestInfo,
  payment_method: PaymentMethod,
  expected_total: orAbsent(Money),
  ...guestNoteFields,
  external_system: orAbsent(lineOf(64)),
  external_booking_id: orAbsent(lineOf(255)).meta({
    description:
      'Required with external_system. Unique for the key and the system, or without one. It names the whole order.',
  }),
};

/** One stay by its own fields, an order by `items`, or what was quoted by `quote_id` (D52, D92). */
export const ExternalBookingRequest = Object.entries(requiredOfStay)
  .reduce(
    (schema, [name, kind]) =>
      schema.refine(
        (request: StaysOfRequest) =>
          !namesOneStay(request) || request[name as keyof ExternalStay] !== undefined,
        {
          path: [name],
          message: `is required: ${kind}, unless the request has \`items\` or a \`quote_id\``,
          when: anyObject,
        },
      ),
    z.strictObject(externalBookingFields),
  )
  .refine(({ guest_info }) => guest_info.email !== undefined, {
    path: ['guest_info', 'email'],
    message: 'is required: text',
    when: ({ value }) => hasGuest(value),
  })
  .superRefine((request: StaysOfRequest, ctx) => {
    if (namesOneStay(request)) return;
    const form = request.quote_id === undefined ? 'items' : 'quote_id';
    const others = form === 'quote_id' ? [...stayNames, 'items' as const] : stayNames;
    for (const name of others)
      if (request[name] !== undefined)
        ctx.addIssue({ code: 'custom', path: [name], message: `is not allowed together with \`${form}\`` });
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
  ...pendingChangeFields,
  ...guestUrlFields,
  host_info: z.object({ name: z.string(), phone: personalText }).meta({ id: 'ExternalHostContact' }),
}).meta({ id: 'ExternalBookingDetail' });
export type ExternalBookingDetail = z.infer<typeof ExternalBookingDetail>;

/** What a key has booked: a stay, or an order with its stays (D92). */
export const ExternallyBooked = Booking.extend({
  reservations: z.array(Booking).optional().meta({
    description:
      'Of `items` and of a quote: the stays, in the order of the request. The other fields are then those of the whole order, named by its first stay; `id` is the order, which each operation for bookings takes too.',
  }),
}).meta({ id: 'ExternallyBooked' });
export type ExternallyBooked = z.infer<typeof ExternallyBooked>;
