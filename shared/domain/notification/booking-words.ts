import type { WrittenLanguage } from '../../platform/language.ts';
import type { BookingState, PaymentMethod, PaymentStatus } from '../booking/index.ts';

/** Who a mail is for: the guest of a booking, or a host of its team. */
export type Side = 'guest' | 'host';

/** What a mail tells. A booking that waits for the host is told of as a request. */
export type Happening = 'requested' | 'booked' | 'confirmed' | 'cancelled';

interface Opening {
  subject: (listing: string) => string;
  sentence: (listing: string) => string;
}

interface Words {
  openings: Record<Side, Record<Happening, Opening>>;
  greeting: (name: string) => string;
  labels: Record<
    | 'booking'
    | 'listing'
    | 'address'
    | 'check_in'
    | 'check_out'
    | 'nights'
    | 'guests'
    | 'total'
    | 'payment'
    | 'state'
    | 'guest'
    | 'phone'
    | 'email',
    string
  >;
  localTime: (timezone: string) => string;
  states: Record<BookingState, string>;
  methods: Record<PaymentMethod, string>;
  payments: Record<PaymentStatus, string>;
  footer: string;
}

const vi: Words = {
  openings: {
    guest: {
      requested: {
        subject: (listing) => `Đã gửi yêu cầu đặt phòng: ${listing}`,
        sentence: (listing) =>
          `Chúng tôi đã nhận yêu cầu đặt phòng của bạn tại ${listing}. Chủ nhà sẽ trả lời trong vòng 24 giờ; trong lúc chờ, phòng được giữ cho bạn.`,
      },
      booked: {
        subject: (listing) => `Đặt phòng thành công: ${listing}`,
        sentence: (listing) => `Bạn đã đặt phòng thành công tại ${listing}. Hẹn gặp bạn!`,
      },
      confirmed: {
        subject: (listing) => `Đặt phòng đã được xác nhận: ${listing}`,
        sentence: (listing) => `Đặt phòng của bạn tại ${listing} đã được xác nhận. Hẹn gặp bạn!`,
      },
      cancelled: {
        subject: (listing) => `Đặt phòng đã bị hủy: ${listing}`,
        sentence: (listing) => `Đặt phòng của bạn tại ${listing} đã bị hủy.`,
      },
    },
    host: {
      requested: {
        subject: (listing) => `Yêu cầu đặt phòng mới: ${listing}`,
        sentence: (listing) =>
          `Có khách muốn đặt ${listing}. Vui lòng xác nhận trong vòng 24 giờ, sau đó yêu cầu sẽ tự hủy.`,
      },
      booked: {
        subject: (listing) => `Đặt phòng mới: ${listing}`,
        sentence: (listing) => `${listing} vừa có đặt phòng mới.`,
      },
      confirmed: {
        subject: (listing) => `Đã xác nhận đặt phòng: ${listing}`,
        sentence: (listing) => `Đặt phòng tại ${listing} đã được xác nhận.`,
      },
      cancelled: {
        subject: (listing) => `Đặt phòng bị hủy: ${listing}`,
        sentence: (listing) => `Một đặt phòng tại ${listing} đã bị hủy. Thời gian đó đã trống trở lại.`,
      },
    },
  },
  greeting: (name) => (name === '' ? 'Xin chào,' : `Xin chào ${name},`),
  labels: {
    booking: 'Mã đặt phòng',
    listing: 'Chỗ ở',
    address: 'Địa chỉ',
    check_in: 'Nhận phòng',
    check_out: 'Trả phòng',
    nights: 'Số đêm',
    guests: 'Số khách',
    total: 'Tổng tiền',
    payment: 'Thanh toán',
    state: 'Trạng thái',
    guest: 'Khách',
    phone: 'Điện thoại',
    email: 'E-mail',
  },
  localTime: (timezone) => `Giờ ghi theo giờ địa phương của chỗ ở (${timezone}).`,
  states: {
    PENDING: 'Chờ xác nhận',
    CONFIRMED: 'Đã xác nhận',
    CHECKED_IN: 'Đã nhận phòng',
    CHECKED_OUT: 'Đã trả phòng',
    COMPLETED: 'Hoàn tất',
    CANCELLED: 'Đã hủy',
  },
  methods: { CASH: 'Tiền mặt tại chỗ', BANK_TRANSFER: 'Chuyển khoản', ONLINE_GATEWAY: 'Trực tuyến' },
  payments: { PENDING: 'chưa thanh toán', PAID: 'đã thanh toán', REFUNDED: 'đã hoàn tiền' },
  footer: 'Thư tự động của Nightlatch về một đặt phòng. Vui lòng không trả lời thư này.',
};

const en: Words = {
  openings: {
    guest: {
      requested: {
        subject: (listing) => `Your booking request: ${listing}`,
        sentence: (listing) =>
          `We have your booking request for ${listing}. The host answers within 24 hours; until then the place is held for you.`,
      },
      booked: {
        subject: (listing) => `Your booking: ${listing}`,
        sentence: (listing) => `Your stay at ${listing} is booked. We look forward to seeing you!`,
      },
      confirmed: {
        subject: (listing) => `Your booking is confirmed: ${listing}`,
        sentence: (listing) => `Your booking at ${listing} is confirmed. We look forward to seeing you!`,
      },
      cancelled: {
        subject: (listing) => `Your booking is cancelled: ${listing}`,
        sentence: (listing) => `Your booking at ${listing} has been cancelled.`,
      },
    },
    host: {
      requested: {
        subject: (listing) => `New booking request: ${listing}`,
        sentence: (listing) =>
          `A guest would like to book ${listing}. Please confirm within 24 hours; after that the request lapses.`,
      },
      booked: {
        subject: (listing) => `New booking: ${listing}`,
        sentence: (listing) => `${listing} has a new booking.`,
      },
      confirmed: {
        subject: (listing) => `Booking confirmed: ${listing}`,
        sentence: (listing) => `A booking at ${listing} is confirmed.`,
      },
      cancelled: {
        subject: (listing) => `Booking cancelled: ${listing}`,
        sentence: (listing) => `A booking at ${listing} has been cancelled. Its time is free again.`,
      },
    },
  },
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  labels: {
    booking: 'Booking',
    listing: 'Place',
    address: 'Address',
    check_in: 'Check-in',
    check_out: 'Check-out',
    nights: 'Nights',
    guests: 'Guests',
    total: 'Total',
    payment: 'Payment',
    state: 'State',
    guest: 'Guest',
    phone: 'Telephone',
    email: 'E-mail',
  },
  localTime: (timezone) => `Times are the local time of the place (${timezone}).`,
  states: {
    PENDING: 'Awaiting confirmation',
    CONFIRMED: 'Confirmed',
    CHECKED_IN: 'Checked in',
    CHECKED_OUT: 'Checked out',
    COMPLETED: 'Completed',
    CANCELLED: 'Cancelled',
  },
  methods: { CASH: 'Cash on site', BANK_TRANSFER: 'Bank transfer', ONLINE_GATEWAY: 'Online' },
  payments: { PENDING: 'not paid yet', PAID: 'paid', REFUNDED: 'refunded' },
  footer: 'An automatic mail from Nightlatch about a booking. Please do not reply to it.',
};

/** All words of booking mail, by language (D66). */
export const bookingWords: Record<WrittenLanguage, Words> = { vi, en };
