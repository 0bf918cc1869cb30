import type { StayListing } from '@nightlatch/client';
import { useEffect } from 'preact/hooks';
import { BookForm } from './book-form.tsx';
import { nightsBetween } from './free.ts';
import { canSignIn, guest, signIn, wasIn } from './guest.ts';
import { HoldStep } from './hold-step.tsx';
import { Link, place } from './place.tsx';
import { useReading } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { homes } from './service.ts';
import { say, sayDate, sayGuests, sayNights } from './words/index.ts';

/** From a choice to a booking: sign-in, hold, who comes, payment. */
export const BookPage = ({ id }: { id: number }) => {
  const reading = useReading(`home ${id}`, () => homes().getStayListing({ listing_id: id }));
  const { from, to } = place.value;
  return (
    <>
      <Link to={{ view: 'home', id }} class="back">
        ← {reading.data?.name ?? say('home')}
      </Link>
      <h1 tabIndex={-1}>{say('yourStay')}</h1>
      <ReadingState reading={reading} />
      {reading.data && from && to && <Stay home={reading.data} from={from} to={to} />}
      {!(from && to) && <p>{say('chooseDates')}</p>}
    </>
  );
};

const Stay = ({ home, from, to }: { home: StayListing; from: string; to: string }) => {
  const { guests, services } = place.value;
  const item = {
    ...{ listing_id: home.id, check_in_date: from, check_out_date: to, guest_number: guests },
    ...(services.length === 0 ? {} : { extra_service_ids: [...services] }),
  };
  const now = guest.value;
  return (
    <>
      <p>
        <b>{home.name}</b>
        <br />
        {say('stayDates', {
          from: sayDate(from),
          to: sayDate(to),
          nights: sayNights(nightsBetween(from, to)),
        })}
        {' · '}
        {sayGuests(guests)}
      </p>
      {now.state === 'OPENING' && <p class="quiet">{say('loading')}</p>}
      {now.state === 'OUT' && <SignIn sentence="signInToBook" />}
      {'person' in now && (
        <HoldStep items={[item]}>
          {(hold, isOver) => <BookForm {...{ home, hold, isOver }} person={now.person} />}
        </HoldStep>
      )}
    </>
  );
};

/** Asks for a sign-in; one who was signed in before a reload is not asked. */
export const SignIn = ({ sentence }: { sentence: 'signInToBook' | 'myBookings' }) => {
  const now = guest.value;
  const problem = now.state === 'OUT' ? now.problem : undefined;
  const isReturning = canSignIn() && wasIn() && problem === undefined;
  useEffect(() => {
    if (isReturning) void signIn();
  }, [isReturning]);
  if (isReturning) return <p class="quiet">{say('loading')}</p>;
  if (!canSignIn()) return <p>{say('cannotBook')}</p>;
  return (
    <>
      {problem && <p role="alert">{say(`problem${problem}`)}</p>}
      <p>{say(sentence)}</p>
      <div class="answers">
        <button type="button" class="primary" onClick={() => void signIn()}>
          {say('signIn')}
        </button>
        <button type="button" onClick={() => void signIn(true)}>
          {say('signUp')}
        </button>
      </div>
    </>
  );
};
