import type { WrittenLanguage } from '../../../platform/text/language.ts';
import type { BookingState } from '../../booking/model.ts';
import type { TakenMethod } from '../../folio/model.ts';
import type { LineKind } from '../../pricing/model.ts';

/** A labelled line of a mail about a booking. */
export type FactName =
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
  | 'host'
  | 'guest'
  | 'phone'
  | 'email'
  | 'pay_until'
  | 'reason'
  | 'refund'
  | 'deposit'
  | 'deposit_kept'
  | 'lines'
  | 'extras'
  | 'charges'
  | 'amount'
  | 'paid'
  | 'amount_due'
  | 'balance'
  | 'transfer'
  | 'method'
  | 'transaction'
  | 'wifi_name'
  | 'wifi_password'
  | 'door_code'
  | 'access_shown';

export interface BookingLabels {
  labels: Record<FactName, string>;
  localTime: (timezone: string) => string;
  balanceOnArrival: (amount: string) => string;
  balanceUntil: (amount: string, time: string) => string;
  states: Record<BookingState, string>;
  methods: Record<TakenMethod, string>;
  lines: Record<Exclude<LineKind, 'adjustment'>, string>;
}

/** What the facts of a booking are called, in mails and in print. */
export const bookingLabels: Record<WrittenLanguage, BookingLabels> = {
  vi: {
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
      host: 'Chủ nhà',
      guest: 'Khách',
      phone: 'Điện thoại',
      email: 'E-mail',
      pay_until: 'Thanh toán trước',
      reason: 'Lý do',
      refund: 'Hoàn tiền',
      deposit: 'Tiền đặt cọc',
      deposit_kept: 'Giữ lại',
      lines: 'Chi tiết',
      extras: 'Dịch vụ thêm',
      charges: 'Phụ thu',
      amount: 'Lần thanh toán này',
      paid: 'Đã thanh toán',
      amount_due: 'Cần thanh toán',
      balance: 'Còn lại',
      transfer: 'Tài khoản nhận tiền',
      method: 'Hình thức',
      transaction: 'Mã giao dịch',
      wifi_name: 'Tên Wi-Fi',
      wifi_password: 'Mật khẩu Wi-Fi',
      door_code: 'Mã cửa',
      access_shown: 'Thông tin nhận phòng',
    },
    localTime: (timezone) => `Giờ ghi theo giờ địa phương của chỗ ở (${timezone}).`,
    balanceOnArrival: (amount) => `${amount}, thanh toán khi nhận phòng`,
    balanceUntil: (amount, time) => `${amount}, đến hạn ${time}`,
    states: {
      PENDING: 'Chờ xác nhận',
      CONFIRMED: 'Đã xác nhận',
      CHECKED_IN: 'Đã nhận phòng',
      CHECKED_OUT: 'Đã trả phòng',
      COMPLETED: 'Hoàn tất',
      CANCELLED: 'Đã hủy',
      NO_SHOW: 'Khách không đến',
    },
    methods: {
      CASH: 'Tiền mặt tại chỗ',
      BANK_TRANSFER: 'Chuyển khoản',
      ONLINE_GATEWAY: 'Trực tuyến',
      CARD_ON_SITE: 'Thẻ tại chỗ',
      OTHER: 'Trả cho chủ nhà',
      PLATFORM: 'Qua nền tảng khác',
    },
    lines: {
      night: 'Đêm',
      day: 'Ngày',
      hours: 'Giờ',
      package: 'Giá trọn gói',
      combo: 'Combo',
      discount: 'Giảm giá',
      extra_adults: 'Thêm khách',
      extra_children: 'Trẻ em',
      cleaning: 'Phí vệ sinh',
      early_check_in: 'Nhận phòng sớm',
      late_check_out: 'Trả phòng muộn',
      service: 'Dịch vụ',
    },
  },
  en: {
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
      host: 'Host',
      guest: 'Guest',
      phone: 'Telephone',
      email: 'E-mail',
      pay_until: 'Pay until',
      reason: 'Reason',
      refund: 'Refund',
      deposit: 'Security deposit',
      deposit_kept: 'Kept',
      lines: 'Details',
      extras: 'Extra services',
      charges: 'Charges',
      amount: 'This payment',
      paid: 'Amount paid',
      amount_due: 'Amount due',
      balance: 'Balance',
      transfer: 'Bank account',
      method: 'Method',
      transaction: 'Transaction',
      wifi_name: 'Wi-Fi name',
      wifi_password: 'Wi-Fi password',
      door_code: 'Door code',
      access_shown: 'Access',
    },
    localTime: (timezone) => `Times are the local time of the place (${timezone}).`,
    balanceOnArrival: (amount) => `${amount}, due on arrival`,
    balanceUntil: (amount, time) => `${amount}, due at ${time}`,
    states: {
      PENDING: 'Awaiting confirmation',
      CONFIRMED: 'Confirmed',
      CHECKED_IN: 'Checked in',
      CHECKED_OUT: 'Checked out',
      COMPLETED: 'Completed',
      CANCELLED: 'Cancelled',
      NO_SHOW: 'No-show',
    },
    methods: {
      CASH: 'Cash on site',
      BANK_TRANSFER: 'Bank transfer',
      ONLINE_GATEWAY: 'Online',
      CARD_ON_SITE: 'Card on site',
      OTHER: 'To the host',
      PLATFORM: 'Through another platform',
    },
    lines: {
      night: 'Night',
      day: 'Day',
      hours: 'Hours',
      package: 'Price of the stay',
      combo: 'Combo',
      discount: 'Discount',
      extra_adults: 'Extra guests',
      extra_children: 'Children',
      cleaning: 'Cleaning fee',
      early_check_in: 'Early check-in',
      late_check_out: 'Late check-out',
      service: 'Service',
    },
  },
};
