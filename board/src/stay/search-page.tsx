import type { FoundListing, SearchResult } from '@nightlatch/client';
import { More } from '../parts/more.tsx';
import { DatesForm } from './dates-form.tsx';
import { Link, place } from './place.tsx';
import { Picture } from './pictures.tsx';
import { Rating } from './rating.tsx';
import { usePages } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { homes } from './service.ts';
import { say, sayDate, sayGuests, sayMoney, sayNights } from './words/index.ts';

export const SearchPage = () => {
  const { from, to, guests, text, sort } = place.value;
  const dates = from && to && from < to ? { check_in: from, check_out: to } : undefined;
  const asked = { guests, ...(text ? { location: text } : {}), ...(sort ? { sort } : {}) };
  const found = useSearch({ ...asked, ...dates });
  const isEmpty = found.first.data?.items.length === 0;
  // Nothing is free: what is there on other dates, said to be that.
  const others = useSearch(isEmpty && dates ? asked : undefined);
  return (
    <>
      <h1 tabIndex={-1}>{say('homes')}</h1>
      <DatesForm />
      <ReadingState reading={found.first} />
      {found.first.data && (
        <p role="status" class="found">
          {sentence(found.first.data, { ...asked, from: dates?.check_in, to: dates?.check_out })}
        </p>
      )}
      <Found {...found} />
      {isEmpty && dates && (
        <>
          <ReadingState reading={others.first} />
          {others.items.length > 0 && <p>{say('otherDates', { guests: sayGuests(guests) })}</p>}
          <Found {...others} />
        </>
      )}
    </>
  );
};

interface Asked {
  guests: number;
  location?: string;
  sort?: 'price' | 'rating';
  check_in?: string;
  check_out?: string;
}

const useSearch = (asked: Asked | undefined) =>
  usePages<FoundListing, SearchResult>(asked && `search ${JSON.stringify(asked)}`, (cursor) =>
    homes().searchStays({ ...asked, limit: 24, ...(cursor === undefined ? {} : { cursor }) }),
  );

const sentence = (
  { total }: SearchResult,
  { guests, location, from, to }: Asked & { from: string | undefined; to: string | undefined },
): string => {
  const values = { count: total, guests: sayGuests(guests) };
  if (from !== undefined && to !== undefined) {
    const dated = { ...values, from: sayDate(from), to: sayDate(to) };
    return say(total === 0 ? 'nothingFree' : total === 1 ? 'found1' : 'found', dated);
  }
  if (total === 0) return say(location === undefined ? 'noHomes' : 'noHomesThere', values);
  return say(total === 1 ? 'foundAll1' : 'foundAll', values);
};

const Found = ({ items, more }: ReturnType<typeof useSearch>) => (
  <>
    <ul class="homes">
      {items.map((home) => (
        <li key={home.id}>
          <Home home={home} />
        </li>
      ))}
    </ul>
    <More label={say('more')} more={more} />
  </>
);

const Home = ({ home }: { home: FoundListing }) => {
  const { id, name, province_name, images, capacity, total_price, nights, full_rate, currency } = home;
  return (
    <Link to={{ view: 'home', id }} class="card home-card">
      <Picture url={images[0]?.url} />
      <span class="home-text">
        <b>{name}</b>
        <span class="quiet">
          {[province_name, say('upTo', { guests: sayGuests(capacity) })].filter(Boolean).join(' · ')}
        </span>
        <Rating rating={home.rating_average} count={home.review_count} />
        <span class="due">
          {total_price === null || nights === null
            ? say('perNight', { amount: sayMoney(full_rate, currency) })
            : say('forNights', { amount: sayMoney(total_price, currency), nights: sayNights(nights) })}
        </span>
      </span>
    </Link>
  );
};
