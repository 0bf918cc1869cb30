import type { MyBooking } from '@nightlatch/client';
import { More } from '../parts/more.tsx';
import { SignIn } from './book-page.tsx';
import { asGuest, guest, problemOf } from './guest.ts';
import { Link } from './place.tsx';
import { usePages } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { say, sayDate, sayMoney, sayName } from './words/index.ts';

/** The bookings of the guest, with whatever team. */
export const BookingsPage = () => {
  const isIn = 'person' in guest.value;
  const { first, items, more } = usePages<MyBooking, { items: MyBooking[]; next_cursor: string | null }>(
    isIn ? 'bookings' : undefined,
    async (cursor) => {
      const asked = { limit: 20, ...(cursor === undefined ? {} : { cursor }) };
      const { data, response } = await asGuest((api) => api.listMyBookings(asked).withResponse());
      return { items: data, next_cursor: response.headers.get('X-Next-Cursor') || null };
    },
  );
  return (
    <>
      <h1 tabIndex={-1}>{say('myBookings')}</h1>
      {guest.value.state === 'OUT' && <SignIn sentence="myBookings" />}
      {isIn && <ReadingState reading={{ ...first, error: problemOf(first.error) }} />}
      {first.data && items.length === 0 && <p>{say('noBookings')}</p>}
      <ul>
        {items.map((stay) => (
          <li key={stay.id}>
            <Card stay={stay} />
          </li>
        ))}
      </ul>
      <More label={say('more')} more={more} />
    </>
  );
};

const Card = ({ stay }: { stay: MyBooking }) => (
  <Link to={{ view: 'booking', id: stay.id }} class="card">
    <span class="line">
      <b>{stay.listing_name}</b>
      <span class={`chip state-${stay.state.toLowerCase()}`}>{sayName(stay.state, 'state_')}</span>
    </span>
    <span class="line">
      <span>
        {sayDate(stay.check_in_date)} – {sayDate(stay.check_out_date)}
      </span>
      <span class="amount">{sayMoney(stay.total_price, stay.currency)}</span>
    </span>
    {stay.amount_due > 0 && (
      <span class="due">
        {say('toPay')}: {sayMoney(stay.amount_due, stay.currency)}
      </span>
    )}
  </Link>
);
