import type { Booking, TodayBooking } from '@nightlatch/client';
import { bookingLink, route } from '../parts/route.ts';
import { StateChip } from '../parts/chips.tsx';
import { say, sayDate, sayGuests, sayMoney, sayNights, sayTime } from '../words/index.ts';

interface StayCardProps {
  booking: Booking & Partial<Pick<TodayBooking, 'arrival_time'>>;
  more?: string;
}

/** A stay in a list: who, where, when, and what is to be paid. */
export const StayCard = ({ booking, more }: StayCardProps) => {
  const { id, guest_info, listing_name, check_in, check_out, nights, guests, currency } = booking;
  const { amount_due: due, arrival_time: arrival = null } = booking;
  const back = (booking.amount_to_return ?? 0) + (booking.deposit_to_return ?? 0);
  const notes = [
    due > 0 ? say('due', { amount: sayMoney(due, currency) }) : '',
    back > 0 ? say('backDue', { amount: sayMoney(back, currency) }) : '',
    more ?? '',
  ].filter((text) => text !== '');
  const isOpen = route.value.booking === id;
  return (
    <li>
      <a class="card" href={bookingLink(id)} aria-current={isOpen ? 'true' : undefined}>
        <span class="line">
          <strong>{guest_info.full_name}</strong>
          <StateChip booking={booking} />
        </span>
        <p>{listing_name}</p>
        <p class="quiet">
          {[
            `${sayDate(check_in)} – ${sayDate(check_out)}`,
            nights > 0 ? sayNights(nights) : '',
            sayGuests(guests),
            arrival === null
              ? ''
              : say('arrivesAt', {
                  time: sayTime(`${booking.start_at.slice(0, 10)}T${arrival}`, booking.timezone),
                }),
          ]
            .filter((text) => text !== '')
            .join(' · ')}
        </p>
        {notes.length > 0 && <p class="due">{notes.join(' · ')}</p>}
      </a>
    </li>
  );
};
