import type { ExternalBooking } from './external-booking.schema.ts';

/** A booking as partners and hosts see it, for the documents. */
export const bookingExample = {
  id: 369_435_906_932_737,
  status: 'CONFIRMED',
  master_reservation_id: 369_435_906_932_736,
  listing_id: 4711,
  listing_name: 'Biệt thự Đà Lạt',
  team_id: 71,
  user_id: 5312,
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  timezone: 'Asia/Ho_Chi_Minh',
  nights: 3,
  guest_number: 4,
  guest_info: { full_name: 'Nguyễn Văn An', phone: '+84 901 234 567', email: 'an@example.com' },
  total_price: 5_650_000,
  currency: 'VND',
  payment_method: 'CASH',
  payment_status: 'PENDING',
  external_system: null,
  external_booking_id: null,
  created_at: '2027-01-20T08:00:00.000Z',
  updated_at: '2027-01-20T08:00:00.000Z',
} satisfies ExternalBooking;
