import { useEffect, useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { Choice } from '../parts/choice.tsx';
import { dayAfter, lastDate } from './free.ts';
import { go, place } from './place.tsx';
import { say } from './words/index.ts';

const today = (): string => Temporal.Now.plainDateISO().toString();

/** What is searched: dates, guests, place. */
export const DatesForm = () => {
  const { from = '', to = '', guests, text = '', sort } = place.value;
  const [typed, type] = useState({ from, to, guests: String(guests), text });
  const [isWrong, setWrong] = useState(false);
  // The choice is the address's too, such as after going back.
  useEffect(() => type({ from, to, guests: String(guests), text }), [from, to, guests, text]);
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      type((now) => ({ ...now, [name]: currentTarget.value })),
  });
  const send = (event: Event): void => {
    event.preventDefault();
    const wrong = (typed.from === '') !== (typed.to === '') || (typed.from !== '' && typed.to <= typed.from);
    setWrong(wrong);
    if (wrong) return;
    go({
      view: 'search',
      guests: Math.max(1, Math.trunc(Number(typed.guests)) || 1),
      ...{ from: typed.from, to: typed.to, text: typed.text.trim() },
    });
  };
  return (
    <form class="asked" role="search" onSubmit={send}>
      <label>
        {say('arrive')}
        <input type="date" min={today()} max={lastDate} {...field('from')} />
      </label>
      <label>
        {say('leave')}
        <input
          type="date"
          min={typed.from ? dayAfter(typed.from, 1) : today()}
          max={lastDate}
          {...field('to')}
        />
      </label>
      <label>
        {say('guestCount')}
        <input type="number" min="1" max="999" inputMode="numeric" required {...field('guests')} />
      </label>
      <label>
        {say('where')}
        <input type="search" maxLength={200} {...field('text')} />
      </label>
      <Choice
        label={say('sort')}
        value={sort ?? 'relevance'}
        options={(['relevance', 'price', 'rating'] as const).map((one) => [one, say(`sort_${one}`)])}
        onChoose={(value) =>
          go({ view: 'search', sort: value === 'price' || value === 'rating' ? value : undefined })
        }
      />
      <button type="submit" class="primary">
        {say('search')}
      </button>
      {isWrong && <p role="alert">{say('wrongDates')}</p>}
    </form>
  );
};
