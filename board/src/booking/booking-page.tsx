import type { ReadBooking } from '@nightlatch/client';
import { useReading } from '../data/reading.ts';
import { StateChip } from '../parts/chips.tsx';
import { Facts } from '../parts/facts.tsx';
import { usePane } from '../parts/pane.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { bookingLink, pageLink, route } from '../parts/route.ts';
import { api } from '../session/session.ts';
import { say, sayDate, sayGuests, sayLocal, sayNights, sayReason, sayTime } from '../words/index.ts';
import { Actions } from './actions.tsx';
import { History } from './history.tsx';
import { Messages } from './messages.tsx';
import { MoneyOf } from './money.tsx';

/** A booking: its guest, what can be done with it now, its money, messages and history. */
export const BookingPage = ({ id }: { id: number }) => {
  const booking = useReading(`booking ${id}`, () => api().getBooking({ booking_id: id }));
  const title = usePane();
  return (
    <section class="booking" aria-labelledby="booking">
      <a class="back" href={pageLink(route.value.page)}>
        ‹ {say('back')}
      </a>
      <h1 id="booking" tabIndex={-1} ref={title}>
        {booking.data?.guest_info.full_name ?? say('stay')}
      </h1>
      <ReadingState reading={booking} />
      {booking.data && <Detail booking={booking.data} />}
    </section>
  );
};

const Detail = ({ booking }: { booking: ReadBooking }) => (
  <>
    <StateChip booking={booking} />
    <Actions booking={booking} />
    <Contact booking={booking} />
    <Stay booking={booking} />
    <OtherStays booking={booking} />
    <MoneyOf booking={booking} />
    <Messages booking={booking} />
    <History booking={booking} />
  </>
);

const Contact = ({ booking: { guest_info } }: { booking: ReadBooking }) => {
  const { full_name: name, phone, email } = guest_info;
  return (
    <p class="contact">
      {phone !== '' && (
        <a class="button" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
          {say('call', { name })}
        </a>
      )}
      {email !== '' && (
        <a class="button" href={`mailto:${encodeURIComponent(email)}`}>
          {say('mail')}
        </a>
      )}
    </p>
  );
};

const Stay = ({ booking }: { booking: ReadBooking }) => {
  const { nights, guests, arrival_time: arrival } = booking;
  const external =
    booking.external_system === null
      ? null
      : `${booking.external_system} ${booking.external_booking_id ?? ''}`;
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">{say('stay')}</h2>
      <Facts
        rows={[
          [say('home'), booking.listing_name],
          [say('checkIn'), sayLocal(booking.start_at, booking.timezone)],
          [say('checkOut'), sayLocal(booking.end_at, booking.timezone)],
          [
            say('party'),
            [nights > 0 ? sayNights(nights) : '', sayGuests(guests)].filter((text) => text !== '').join(', '),
          ],
          [
            say('expected'),
            arrival === null
              ? null
              : sayTime(`${booking.start_at.slice(0, 10)}T${arrival}`, booking.timezone),
          ],
          [say('note'), booking.note],
          [say('bookedThrough'), external],
          [say('cancelReason'), booking.cancel_reason === null ? null : sayReason(booking.cancel_reason)],
          [say('reference'), String(booking.id)],
        ]}
      />
    </section>
  );
};

/** The stays of an order of several. */
const OtherStays = ({ booking: { id, reservations } }: { booking: ReadBooking }) => {
  const others = reservations.filter((stay) => stay.id !== id);
  if (reservations.length < 2) return null;
  return (
    <section aria-labelledby="other-stays">
      <h2 id="other-stays">{say('otherStays')}</h2>
      <ul>
        {others.map((stay) => (
          <li key={stay.id}>
            <a class="card" href={bookingLink(stay.id)}>
              {stay.listing_name}, {sayDate(stay.check_in)} – {sayDate(stay.check_out)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
