import type { Booking } from '@nightlatch/client';
import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { useHomes } from '../chart/homes-at.ts';
import { type Fields, useDraft } from '../data/drafts.ts';
import { usePages } from '../data/pages.ts';
import { Choice } from '../parts/choice.tsx';
import { More } from '../parts/more.tsx';
import { ReadingState } from '../parts/reading-state.tsx';
import { api } from '../session/session.ts';
import { StayCard } from '../today/stay-card.tsx';
import { say, sayName } from '../words/index.ts';

const states = [
  'PENDING',
  'CONFIRMED',
  'CHECKED_IN',
  'CHECKED_OUT',
  'COMPLETED',
  'CANCELLED',
  'NO_SHOW',
] as const;

/** Bookings of any time, by name, telephone number, number, state, home and date of arrival. */
export const FindPage = () => {
  const draft = useDraft('find');
  const [asked, ask] = useState<Fields>(draft.typed);
  const homes = useHomes();
  const field = (name: string) => draft.typed[name] ?? '';
  const input = (name: 'q' | 'from' | 'to', type: 'search' | 'date') => (
    <label>
      {say(`find_${name}`)}
      <input
        {...({ name, type, value: field(name) } as InputHTMLAttributes)}
        maxLength={255}
        onInput={({ currentTarget: { value } }) => draft.change(name, value)}
      />
    </label>
  );
  return (
    <section class="find" aria-labelledby="find">
      <h1 id="find">{say('find')}</h1>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          ask(draft.typed);
        }}
      >
        {input('q', 'search')}
        <div class="pair">
          <Choice
            label={say('find_state')}
            value={field('state')}
            options={[['', say('any')], ...states.map((one) => [one, sayName(one, 'state_')] as const)]}
            onChoose={(value) => draft.change('state', value)}
          />
          <Choice
            label={say('home')}
            value={field('home')}
            options={[['', say('any')], ...homes.map(({ id, name }) => [String(id), name] as const)]}
            onChoose={(value) => draft.change('home', value)}
          />
        </div>
        <div class="pair">
          {input('from', 'date')}
          {input('to', 'date')}
        </div>
        <button type="submit" class="primary">
          {say('search')}
        </button>
      </form>
      <Found key={JSON.stringify(asked)} asked={asked} />
    </section>
  );
};

const given = (text: string | undefined): string | undefined => text?.trim() || undefined;

const Found = ({ asked }: { asked: Fields }) => {
  const list = usePages(`find ${JSON.stringify(asked)}`, {
    readPage: (cursor) =>
      api().listTeamBookings({
        q: given(asked['q']),
        state: states.find((one) => one === asked['state']),
        listing_id: asked['home'] ? Number(asked['home']) : undefined,
        check_in_from: given(asked['from']),
        check_in_to: given(asked['to']),
        limit: 20,
        cursor,
      }),
    idOf: ({ id }: Booking) => id,
  });
  const found = list.reading.data?.items;
  return (
    <div class="found">
      <ReadingState reading={list.reading} />
      <p class="quiet" role="status">
        {found?.length === 0 && say(list.more ? 'noneSoFar' : 'noneFound')}
        {found && found.length > 0 && say('foundCount', { count: found.length })}
      </p>
      <ul>
        {found?.map((booking) => (
          <StayCard key={booking.id} booking={booking} />
        ))}
      </ul>
      <More label={say('searchOn')} more={list.more} />
    </div>
  );
};
