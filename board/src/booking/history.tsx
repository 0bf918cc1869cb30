import type { HistoryEntry, ReadBooking } from '@nightlatch/client';
import { useReading } from '../data/reading.ts';
import { api } from '../session/session.ts';
import { say, sayInstant, sayMoney, sayName, sayReason } from '../words/index.ts';

/** Every change of the booking, newest first. */
export const History = ({ booking }: { booking: ReadBooking }) => {
  const history = useReading(`history ${booking.id}`, () =>
    api().listBookingHistory({ booking_id: booking.id }),
  );
  if (!history.data) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">{say('history')}</h2>
      <ol class="lines">
        {history.data.items.toReversed().map((entry) => (
          <li key={entry.id}>
            <span class="line">
              <span>{sayName(entry.event_type)}</span>
              {entry.amount !== null && <span class="amount">{sayMoney(entry.amount, entry.currency)}</span>}
            </span>
            <small>
              {sayInstant(entry.occurred_at, booking.timezone)} {say('by', { name: nameOf(entry) })}
            </small>
            {entry.why !== null && <p class="quoted">{sayReason(entry.why)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
};

const nameOf = ({ who }: HistoryEntry): string =>
  who.name ??
  {
    guest: say('byGuest'),
    host: say('byTeam'),
    partner: say('partnerKey'),
    payment: say('gateway'),
    system: say('system'),
  }[who.kind];
