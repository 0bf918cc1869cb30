import * as z from 'zod';
import { Id, TimeText } from '../../platform/schema/schema.ts';
import { hostBookingExample } from '../booking/booking-example.schema.ts';
import { Booking } from '../booking/booking.schema.ts';
import { ImportedStay, importedStayExample } from './imported-stay.schema.ts';
import { ChatThread } from '../chat/chat.schema.ts';
import { CalendarConflict } from '../ical/ical.schema.ts';

/** A booking as a host needs it on the day (D95). */
const TodayBooking = Booking.extend({
  arrival_time: TimeText.nullable().meta({
    description: "When the guest expects to arrive, in the listing's time zone.",
  }),
  note: z.string().nullable().meta({ description: 'The note of the guest to the host.' }),
}).meta({ id: 'TodayBooking' });
export type TodayBooking = z.infer<typeof TodayBooking>;

const stays = (description: string) => z.array(TodayBooking).meta({ description });

const TransferDue = TodayBooking.extend({
  reference: z.string().meta({ description: 'What the text of the transfer is to contain.' }),
  expires_today: z.boolean().meta({
    description: 'Whether `payment_expires_at` is today, by the time zone of the listing.',
  }),
}).meta({ id: 'TransferDue' });

const TodayConflict = CalendarConflict.extend({
  listing_id: Id,
  feed_id: Id.meta({ description: 'The followed calendar.' }),
  host: z.string().meta({ description: 'Of its address.' }),
  label: z.string().nullable().meta({
    description: 'What the team calls the platform; null: it has given no name.',
  }),
}).meta({ id: 'TodayConflict' });

export const Today = z
  .object({
    arrivals: stays(
      'Stays that begin today, arrived or not; until noon also those of yesterday whose guest is not checked in.',
    ),
    departures: stays('Stays that end today, left or not.'),
    in_house: stays('Guests who are checked in.'),
    unpaid: stays('Those of `arrivals` and `in_house` whose payment is PENDING.'),
    to_accept: stays('Bookings of any date that wait for the host.'),
    transfers_due: z.array(TransferDue).meta({
      description:
        'Bookings of any date that wait for a bank transfer of `amount_due`; without `payment_expires_at` they are not cancelled for want of it. Those whose time ends first come first.',
    }),
    to_return: stays(
      'Bookings of any date of which refunds or a security deposit are to be handed over: record it with `refunds/{posting_id}/returned`, or with `security-deposit`. The last 100; all are in `GET /bookings?to_return=true`.',
    ),
    imported_arrivals: z.array(ImportedStay).meta({
      description: 'Stays of platforms that begin today and are no bookings here.',
    }),
    imported_departures: z.array(ImportedStay).meta({ description: 'Those that end today.' }),
    unread: z.array(ChatThread).meta({
      description:
        'Of the 100 threads written last: those that end with a message of the guest which the caller has not read.',
    }),
    conflicts: z.array(TodayConflict).meta({
      description:
        'Of any date: time that followed calendars want, and a booking or a block holds; adopted stays that cannot follow their event.',
    }),
  })
  .meta({ id: 'Today' });
export type Today = z.infer<typeof Today>;

const stay = { ...hostBookingExample, arrival_time: '17:30:00', note: null };

export const todayExample: Today = {
  arrivals: [stay],
  departures: [],
  in_house: [],
  unpaid: [],
  to_accept: [],
  transfers_due: [],
  to_return: [],
  imported_arrivals: [importedStayExample],
  imported_departures: [],
  unread: [],
  conflicts: [
    {
      ...{ listing_id: importedStayExample.listing_id, feed_id: importedStayExample.feed_id },
      ...{ host: 'www.airbnb.com', label: importedStayExample.label, booking_id: hostBookingExample.id },
      ...{ start_at: hostBookingExample.start_at, end_at: hostBookingExample.end_at },
    },
  ],
};
