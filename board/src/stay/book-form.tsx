import type { StayListing, User } from '@nightlatch/client';
import { LanguageChoice } from '../parts/language-choice.tsx';
import { methodsOf, useBooking } from './booking-draft.ts';
import { guest } from './guest.ts';
import type { Hold } from './hold.ts';
import { Terms } from './home-facts.tsx';
import { Refusal } from './near.tsx';
import { place } from './place.tsx';
import { Price } from './price.tsx';
import { say, sayInstant, sayMoney, sayName } from './words/index.ts';

interface BookFormProps {
  home: StayListing;
  hold: Hold;
  isOver: boolean;
  person: User;
}

/** Who comes, how it is paid, and the booking itself. */
export const BookForm = ({ home, hold, isOver, person }: BookFormProps) => {
  const booking = useBooking({ home, hold, person });
  const send = (event: Event): void => {
    event.preventDefault();
    void booking.book();
  };
  return (
    <form class="columns" onSubmit={send}>
      <div>
        <GuestFields {...booking} />
        <Methods home={home} {...booking} />
      </div>
      <Answer home={home} isOver={isOver} {...booking} />
    </form>
  );
};

type Booking = ReturnType<typeof useBooking>;

const GuestFields = ({ draft, given }: Booking) => {
  const text = (name: 'full_name' | 'phone' | 'note' | 'arrival') => ({
    value: given[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      draft.change(name, value),
  });
  return (
    <>
      <h2>{say('you')}</h2>
      <label>
        {say('fullName')}
        <input required maxLength={200} autoComplete="name" {...text('full_name')} />
      </label>
      <label>
        {say('phone')}
        <input required type="tel" maxLength={31} autoComplete="tel" {...text('phone')} />
      </label>
      <LanguageChoice
        label={say('mailLanguage')}
        value={given.language}
        onChoose={(value) => draft.change('language', value)}
      />
      <label>
        {say('arrival')}
        <input type="time" {...text('arrival')} />
      </label>
      <label>
        {say('note')}
        <textarea maxLength={500} rows={3} {...text('note')} />
      </label>
    </>
  );
};

const Methods = ({ home, draft, given }: Booking & { home: StayListing }) => (
  <fieldset>
    <legend>{say('payBy')}</legend>
    {methodsOf(home).map((one) => (
      <label key={one} class="check">
        <input
          type="radio"
          name="method"
          value={one}
          checked={given.method === one}
          onChange={() => draft.change('method', one)}
        />
        <span>{sayName(one)}</span>
      </label>
    ))}
  </fieldset>
);

/** The price, what came of the last try, and the button. */
const Answer = (props: Booking & { home: StayListing; isOver: boolean }) => {
  const { home, isOver, preview, changedPrice, isSending, error, draft } = props;
  const { unsureSince } = draft;
  const amount = sayMoney(preview.estimated_total, preview.currency);
  const isUnsure = unsureSince !== undefined && !isSending;
  const wanted = { listing_id: home.id, from: place.value.from ?? '', to: place.value.to ?? '' };
  return (
    <div class="offer">
      <h2>{say('price')}</h2>
      <Price preview={preview} zone={home.timezone} />
      <Terms terms={home.cancellation_terms} />
      {isUnsure && (
        <p class="warning" role="alert">
          {say('unsureSince', { time: sayInstant(unsureSince) })}
        </p>
      )}
      {changedPrice && <p role="alert">{say('priceIsNow', { amount })}</p>}
      {error !== undefined && !changedPrice && !isUnsure && <Refusal {...{ error, wanted }} />}
      <button
        type="submit"
        class="primary wide"
        disabled={isSending || guest.value.state !== 'IN' || (isOver && unsureSince === undefined)}
      >
        {isUnsure ? say('sendAgain') : say('bookFor', { amount })}
      </button>
    </div>
  );
};
