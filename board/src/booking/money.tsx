import type { Posting, ReadBooking } from '@nightlatch/client';
import { useReading } from '../data/reading.ts';
import { Facts } from '../parts/facts.tsx';
import { api } from '../session/session.ts';
import { say, sayInstant, sayMoney, sayName } from '../words/index.ts';

/** What the stay costs, what was paid, and every posting of its folio. */
export const MoneyOf = ({ booking }: { booking: ReadBooking }) => {
  const { currency, amount_due, amount_due_later, balance_due_at, amount_refunded, transfer } = booking;
  const folio = useReading(`folio ${booking.id}`, () => api().getFolio({ booking_id: booking.id }));
  const some = (amount: number): string | null => (amount === 0 ? null : sayMoney(amount, currency));
  const later = balance_due_at === null ? '' : `, ${sayInstant(balance_due_at, booking.timezone)}`;
  return (
    <section aria-labelledby="money">
      <h2 id="money">{say('money')}</h2>
      <Facts
        rows={[
          [say('total'), sayMoney(booking.total_price, currency)],
          [say('paid'), some(booking.amount_paid)],
          [say('amountDue'), some(amount_due)],
          [
            say('amountLater'),
            amount_due_later === 0 ? null : `${sayMoney(amount_due_later, currency)}${later}`,
          ],
          [say('refunded'), some(amount_refunded)],
          [say('toReturn'), some(booking.amount_to_return ?? 0)],
          [say('depositHeld'), some(booking.security_deposit.held)],
          [say('paymentMethod'), sayName(booking.payment_method)],
          [say('reference'), transfer?.reference],
        ]}
      />
      {folio.data && folio.data.postings.length > 1 && (
        <ul class="lines">
          {folio.data.postings.map((posting) => (
            <Line
              key={`${posting.booking_id} ${posting.id}`}
              posting={posting}
              currency={currency}
              zone={booking.timezone}
            />
          ))}
        </ul>
      )}
    </section>
  );
};

/** Postings whose amount is positive and whose money left. */
const takesOut = new Set<string>(['refund', 'deposit_returned']);

const Line = ({ posting, currency, zone }: { posting: Posting; currency: string; zone: string }) => {
  const { kind, at, amount, label, method, reference } = posting;
  return (
    <li>
      <span class="line">
        <span>
          {[label ?? sayName(kind, 'posted_'), method === null ? '' : sayName(method)]
            .filter((text) => text !== '')
            .join(', ')}
        </span>
        <span class="amount">{sayMoney(takesOut.has(kind) ? -amount : amount, currency)}</span>
      </span>
      <small>
        {sayInstant(at, zone)}
        {reference === null ? '' : ` · ${reference}`}
      </small>
    </li>
  );
};
