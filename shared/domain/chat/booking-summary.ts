import { localTimeText, moneyText, writtenLanguage } from '../../platform/language.ts';
import type { Reservation } from '../booking/index.ts';

/** The first message of a thread: the booking in a few lines, in the guest's language (D65). */
export const bookingSummary = (reservation: Reservation): string => {
  const language = writtenLanguage(reservation.guest.language);
  const { reservation_id, listing_name, nights, guest_number } = reservation;
  const checkIn = localTimeText(reservation.start_at, language);
  const checkOut = localTimeText(reservation.end_at, language);
  const total = moneyText(reservation.total, reservation.currency, language);
  if (language === 'en')
    return [
      `Booking ${reservation_id}: ${listing_name}`,
      `Check-in: ${checkIn}`,
      `Check-out: ${checkOut}${nights === 0 ? '' : ` (${nights} ${nights === 1 ? 'night' : 'nights'})`}`,
      `Guests: ${guest_number}`,
      `Total: ${total}`,
    ].join('\n');
  return [
    `Đặt phòng ${reservation_id}: ${listing_name}`,
    `Nhận phòng: ${checkIn}`,
    `Trả phòng: ${checkOut}${nights === 0 ? '' : ` (${nights} đêm)`}`,
    `Số khách: ${guest_number}`,
    `Tổng tiền: ${total}`,
  ].join('\n');
};
