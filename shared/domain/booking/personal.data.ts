import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of bookings. What was booked, when and at which price is kept. */
export const bookingData: Record<string, ClassifiedFields> = {
  Order: {
    none: `holder items[].listing_name items[].timezone items[].start_at items[].end_at
      items[].request.check_in_date items[].request.check_out_date items[].request.check_in_time
      items[].request.check_out_time items[].quote currency guest.language change.by change.holds[].start_at
      change.holds[].end_at created_at`,
    personal: 'guest.full_name guest.phone guest.email guest.note guest.arrival_time',
    kept: 'items[].request.adjustments[].label',
  },
  Reservation: {
    none: `listing_name check_in_date check_out_date start_at end_at taken_from timezone currency guest.language
      created_at updated_at postings[].actor postings[].refund_id access_released_at checked_in_at
      checked_out_at no_show_at unpaid_change.item.listing_name unpaid_change.item.timezone
      unpaid_change.item.start_at unpaid_change.item.end_at unpaid_change.item.request.check_in_date
      unpaid_change.item.request.check_out_date unpaid_change.item.request.check_in_time
      unpaid_change.item.request.check_out_time unpaid_change.item.quote`,
    personal:
      'guest.full_name guest.phone guest.email guest.note guest.arrival_time cancel_reason deposit_hold.note',
    kept: `external_system external_booking_id postings[].reference postings[].label deposit_hold.url
      unpaid_change.item.request.adjustments[].label`,
  },
  DueBooking: {},
};
const stay = 'check_in_date check_out_date currency';
const kept = 'external_system external_booking_id';
const ofStay: ClassifiedFields = { none: stay, kept, personal: 'reason' };
const ofPayment: ClassifiedFields = {
  none: stay,
  kept: `${kept} payment_transaction_id`,
  personal: 'reason',
};

/** The classes of the texts in the data of their events. */
export const bookingEventData: Record<string, ClassifiedFields> = {
  'booking.created': ofStay,
  'booking.confirmed': ofStay,
  'booking.cancelled': ofStay,
  'booking.restored': ofStay,
  'booking.declined': ofStay,
  'booking.changed': {
    ...ofStay,
    none: `${stay} was.check_in_date was.check_out_date was.start_at was.end_at now.check_in_date
      now.check_out_date now.start_at now.end_at`,
  },
  'booking.guest_updated': ofStay,
  'booking.charged': ofStay,
  'booking.deposit_changed': ofStay,
  'booking.checked_in': ofStay,
  'booking.check_in_undone': ofStay,
  'booking.access_released': ofStay,
  'booking.checked_out': ofStay,
  'booking.completed': ofStay,
  'booking.no_show': ofStay,
  'payment.paid': ofPayment,
  'payment.corrected': ofPayment,
  'payment.due': ofPayment,
  'payment.extended': ofPayment,
  'payment.failed': ofPayment,
  'payment.refunded': ofPayment,
  'payment.returned': ofPayment,
};
