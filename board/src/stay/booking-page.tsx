import type { ReadBooking } from '@nightlatch/client';
import { useEffect, useState } from 'preact/hooks';
import { Facts } from '../parts/facts.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { SignIn } from './book-page.tsx';
import { asGuest, guest, problemOf } from './guest.ts';
import { Link, place } from './place.tsx';
import { refresh, useReading } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { TransferTo } from './transfer.tsx';
import { say, sayGuests, sayInstant, sayLocal, sayMoney, sayName } from './words/index.ts';

/** A booking of the guest: what it is, what is to be paid and until when, how to come in. */
export const BookingPage = ({ id }: { id: number }) => {
  const isIn = 'person' in guest.value;
  const reading = useReading(isIn ? `booking ${id}` : undefined, () =>
    asGuest((api) => api.getBooking({ booking_id: id })),
  );
  const stay = reading.data;
  const title =
    place.value.isNew && stay ? say(stay.state === 'PENDING' ? 'asked' : 'booked') : stay?.listing_name;
  return (
    <>
      <Link to={{ view: 'bookings' }} class="back">
        ← {say('myBookings')}
      </Link>
      <h1 tabIndex={-1}>{title ?? say('myBookings')}</h1>
      {guest.value.state === 'OUT' && <SignIn sentence="myBookings" />}
      {isIn && <ReadingState reading={{ ...reading, error: problemOf(reading.error) }} />}
      {stay && <Stay stay={stay} />}
    </>
  );
};

const pollMs = 3_000;

const Stay = ({ stay }: { stay: ReadBooking }) => {
  const [isAsked, ask] = useState(false);
  const { payment_url: url = null, currency, timezone: zone, state } = stay;
  const money = (amount: number): string => sayMoney(amount, currency);
  useEffect(() => {
    if (url === null) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh();
    }, pollMs);
    return () => clearInterval(timer);
  }, [url]);
  return (
    <>
      {place.value.isNew && <p role="status">{say(state === 'PENDING' ? 'askedHint' : 'bookedHint')}</p>}
      <div class="columns">
        <div>
          <StayFacts stay={stay} />
          <Access stay={stay} />
        </div>
        <div>
          <Money stay={stay} />
          {url !== null && (
            <>
              <a class="button primary wide" href={url} target="_blank" rel="noopener noreferrer">
                {say('payOnline', { amount: money(stay.amount_due) })}
              </a>
              <p class="quiet">{say('payHint')}</p>
            </>
          )}
          {stay.transfer && <TransferTo transfer={stay.transfer} zone={zone} />}
          {stay.allowed_actions.includes('CANCEL') && (
            <button type="button" class="danger" onClick={() => ask(true)}>
              {say('cancel')}
            </button>
          )}
        </div>
      </div>
      {isAsked && <CancelDialog id={stay.id} currency={currency} zone={zone} onClose={() => ask(false)} />}
    </>
  );
};

const StayFacts = ({ stay }: { stay: ReadBooking }) => (
  <Facts
    rows={[
      [say('home'), stay.listing_name],
      [say('state'), sayName(stay.state, 'state_')],
      [say('checkIn'), sayLocal(stay.start_at, stay.timezone)],
      [say('checkOut'), sayLocal(stay.end_at, stay.timezone)],
      [say('guestCount'), sayGuests(stay.guest_number)],
      [say('address'), stay.listing_address],
      [say('number'), String(stay.id)],
      [say('host'), [stay.host_info.name, stay.host_info.phone].filter(Boolean).join('\n')],
    ]}
  />
);

const Money = ({ stay }: { stay: ReadBooking }) => {
  const money = (amount: number): string => sayMoney(amount, stay.currency);
  const some = (amount: number): string | null => (amount > 0 ? money(amount) : null);
  return (
    <>
      <h2>{say('money')}</h2>
      <Facts
        rows={[
          [say('total'), money(stay.total_price)],
          [say('paid'), some(stay.amount_paid)],
          [say('refunded'), some(stay.amount_refunded)],
          [say('toPay'), some(stay.amount_due)],
          [say('until'), stay.payment_expires_at && sayInstant(stay.payment_expires_at, stay.timezone)],
          [say('toPayLater'), some(stay.amount_due_later)],
          [say('payBy'), sayName(stay.payment_method)],
        ]}
      />
    </>
  );
};

/** Wi-Fi and door code, when it is time. */
const Access = ({ stay: { access, access_info, timezone } }: { stay: ReadBooking }) => {
  if (!access) return null;
  const waits = { WAITS_FOR_PAYMENT: 'accessPaid', WAITS_FOR_HOST: 'accessHost' } as const;
  return (
    <section>
      <h2>{say('access')}</h2>
      {access_info ? (
        <Facts
          rows={[
            [say('wifi'), access_info.wifi_name],
            [say('password'), access_info.wifi_password],
            ...Object.entries(access_info.door_code ?? {}).map(
              ([name, value]) => [name === 'code' ? say('doorCode') : name, String(value)] as const,
            ),
          ]}
        />
      ) : (
        <p class="quiet">
          {access.state === 'AT' && access.at !== null
            ? say('accessAt', { time: sayInstant(access.at, timezone) })
            : access.state in waits && say(waits[access.state as keyof typeof waits])}
        </p>
      )}
    </section>
  );
};
