import type {
  ChatThread,
  ImportedStay,
  Today,
  TodayBooking,
  TodayConflict,
  TransferDue,
} from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import { useHome, useHomes } from '../chart/homes-at.ts';
import { useReading } from '../data/reading.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { bookingLink, chatLink, pageLink } from '../parts/route.ts';
import { Shortened } from '../parts/shortened.tsx';
import { api } from '../session/session.ts';
import { say, sayDate, sayInstant, sayLocal, type Sentence } from '../words/index.ts';
import { StayCard } from './stay-card.tsx';

/** What the team has to do today. */
export const TodayPage = () => {
  const today = useReading('today', () => api().readToday());
  const date = useDate();
  return (
    <section class="today" aria-labelledby="today">
      <h1 id="today">
        {say('today')} <small>{sayDate(date)}</small>
      </h1>
      <ReadingState reading={today} />
      {today.data && <Lists today={today.data} />}
    </section>
  );
};

/** The date where the homes are; of a team without homes, that of this device. */
const useDate = (): string => {
  const [home] = useHomes();
  return Temporal.Now.plainDateISO(home?.timezone).toString();
};

const Lists = ({ today }: { today: Today }) => {
  const arrivals = today.arrivals.length + today.imported_arrivals.length;
  const departures = today.departures.length + today.imported_departures.length;
  const stay = (booking: TodayBooking) => <StayCard key={booking.id} booking={booking} />;
  const lists: readonly (readonly unknown[])[] = Object.values(today);
  const isQuiet = lists.every((list) => list.length === 0);
  if (isQuiet) return <p class="quiet">{say('quiet')}</p>;
  return (
    <>
      <List title="toAccept" count={today.to_accept.length} isUrgent>
        {today.to_accept.map(stay)}
      </List>
      <List title="conflicts" count={today.conflicts.length} isUrgent>
        {today.conflicts.map((conflict) => (
          <Conflict key={`${conflict.feed_id} ${conflict.start_at}`} conflict={conflict} />
        ))}
      </List>
      <List title="arrivals" count={arrivals}>
        {today.arrivals.map(stay)}
        {today.imported_arrivals.map((imported) => (
          <Imported key={imported.availability_id} stay={imported} />
        ))}
      </List>
      <List title="departures" count={departures}>
        {today.departures.map(stay)}
        {today.imported_departures.map((imported) => (
          <Imported key={imported.availability_id} stay={imported} />
        ))}
      </List>
      <List title="inHouse" count={today.in_house.length}>
        {today.in_house.map(stay)}
      </List>
      <List title="unpaid" count={today.unpaid.length}>
        {today.unpaid.map(stay)}
      </List>
      <List title="transfersDue" count={today.transfers_due.length}>
        {today.transfers_due.map((transfer) => (
          <StayCard key={transfer.id} booking={transfer} more={transferNote(transfer)} />
        ))}
      </List>
      <List title="toReturn" count={today.to_return.length}>
        {today.to_return.map(stay)}
      </List>
      <List title="unread" count={today.unread.length}>
        {today.unread.map((thread) => (
          <Unread key={thread.id} thread={thread} />
        ))}
      </List>
    </>
  );
};

interface ListProps {
  title: Sentence;
  count: number;
  isUrgent?: boolean;
  children: preact.ComponentChildren;
}

/** A list with its count; one that is empty takes a line, and an urgent one none. */
const List = ({ title, count, isUrgent = false, children }: ListProps) => {
  if (count === 0 && isUrgent) return null;
  return (
    <section class={isUrgent ? 'list urgent' : 'list'} aria-labelledby={title}>
      <h2 id={title}>
        {say(title)} <span class="count">{count}</span>
      </h2>
      {count > 0 && <Shortened>{children}</Shortened>}
    </section>
  );
};

const transferNote = ({ reference, expires_today, payment_expires_at, timezone }: TransferDue): string =>
  [
    reference,
    expires_today
      ? say('expiresToday')
      : payment_expires_at === null
        ? ''
        : say('until', { time: sayInstant(payment_expires_at, timezone) }),
  ]
    .filter((text) => text !== '')
    .join(' · ');

const Imported = ({ stay }: { stay: ImportedStay }) => (
  <li class="card">
    <strong>{stay.summary}</strong>
    <p>
      {sayDate(stay.check_in_date)} – {sayDate(stay.check_out_date)} · <HomeName id={stay.listing_id} />
    </p>
    <p class="quiet">{say('importedStay', { platform: stay.label })}</p>
  </li>
);

const Conflict = ({ conflict }: { conflict: TodayConflict }) => {
  const { host, label, start_at, end_at, booking_id, listing_id } = conflict;
  const platform = label ?? host;
  return (
    <li class="card">
      <strong>
        <HomeName id={listing_id} />
      </strong>
      <p>{say('conflictWith', { platform, from: sayLocal(start_at), to: sayLocal(end_at) })}</p>
      <p class="quiet">{booking_id === null ? say('conflictBlock', { platform }) : say('conflictStep')}</p>
      {booking_id === null ? (
        <a href={pageLink('calendar')}>{say('conflictCalendar')}</a>
      ) : (
        <a href={bookingLink(booking_id)}>{say('conflictBooking')}</a>
      )}
    </li>
  );
};

const HomeName = ({ id }: { id: number }) => <>{useHome(id)?.name ?? `${say('home')} ${id}`}</>;

const Unread = ({ thread }: { thread: ChatThread }) => {
  const { booking_id, guest, last_message, listing_id, listing_name } = thread;
  const home = useHome(listing_id);
  return (
    <li>
      <a class="card" href={chatLink(booking_id)}>
        <strong>{guest.full_name}</strong>
        <p class="quoted">{last_message.text}</p>
        <p class="quiet">
          {listing_name} · {sayInstant(last_message.created_at, home?.timezone)}
        </p>
      </a>
    </li>
  );
};
