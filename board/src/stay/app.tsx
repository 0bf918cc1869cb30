import { useEffect } from 'preact/hooks';
import { Ended } from '../parts/ended.tsx';
import { BookPage } from './book-page.tsx';
import { BookingPage } from './booking-page.tsx';
import { BookingsPage } from './bookings-page.tsx';
import { useFocus } from './focus.ts';
import { guest, signIn } from './guest.ts';
import { Header } from './header.tsx';
import { HomePage } from './home-page.tsx';
import { place } from './place.tsx';
import { useReading } from './reading.ts';
import { SearchPage } from './search-page.tsx';
import { homes, pageKey } from './service.ts';
import { say } from './words/index.ts';

/** The page for guests. */
export const App = () => {
  const key = pageKey();
  const { data: team } = useReading(
    key === '' ? undefined : `team ${key}`,
    () => homes().getStayTeam(),
    // While a payment is awaited, the page is read again and again: not at the expense of the key.
    { isLasting: true },
  );
  const name = team?.name ?? '';
  const main = useFocus();
  useEffect(() => {
    if (name !== '') document.title = name;
  }, [name]);
  return (
    <>
      <Header name={name} />
      {guest.value.state === 'ENDED' && <Ended signIn={signIn} />}
      <main class="page stay" ref={main}>
        <Page />
      </main>
      {team && (team.contact_phone ?? team.contact_email) !== null && (
        <footer class="page quiet">
          {say('contact')}:{' '}
          {team.contact_phone !== null && (
            <a href={`tel:${team.contact_phone.replaceAll(/[^+\d]/g, '')}`}>{team.contact_phone}</a>
          )}{' '}
          {team.contact_email !== null && <a href={`mailto:${team.contact_email}`}>{team.contact_email}</a>}
        </footer>
      )}
    </>
  );
};

const Page = () => {
  const { view, id = 0 } = place.value;
  if (view === 'bookings') return <BookingsPage />;
  if (view === 'booking') return <BookingPage key={id} id={id} />;
  if (pageKey() === '')
    return (
      <>
        <h1 tabIndex={-1}>{say('homes')}</h1>
        <p>{say('noKey')}</p>
      </>
    );
  if (view === 'home') return <HomePage key={id} id={id} />;
  if (view === 'book') return <BookPage key={id} id={id} />;
  return <SearchPage />;
};
