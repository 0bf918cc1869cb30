import type { StayListing } from '@nightlatch/client';
import { Calendar } from './calendar.tsx';
import { dayAfter, lastDate } from './free.ts';
import { heldBetween } from './hold.ts';
import { Amenities, Rules, Terms } from './home-facts.tsx';
import { Refusal, Taken } from './near.tsx';
import { Pictures } from './pictures.tsx';
import { choose, Link, place } from './place.tsx';
import { Price } from './price.tsx';
import { useReading } from './reading.ts';
import { ReadingState } from './reading-state.tsx';
import { Reviews } from './reviews.tsx';
import { homes } from './service.ts';
import { say, sayCount, sayGuests, sayMoney } from './words/index.ts';

export const HomePage = ({ id }: { id: number }) => {
  const reading = useReading(`home ${id}`, () => homes().getStayListing({ listing_id: id }));
  const home = reading.data;
  return (
    <>
      <Link to={{ view: 'search' }} class="back">
        ← {say('homes')}
      </Link>
      <h1 tabIndex={-1}>{home?.name ?? say('loading')}</h1>
      <ReadingState reading={reading} />
      {home && <Home home={home} />}
    </>
  );
};

const Home = ({ home }: { home: StayListing }) => {
  const { id, name, images, description, province_name, maximum_guest, capacity, currency } = home;
  const sizes = [
    say('upTo', { guests: sayGuests(Math.max(maximum_guest, capacity)) }),
    sayCount('bedroom', home.bedrooms),
    sayCount('bed', home.beds),
    sayCount('bathroom', home.bathrooms),
    home.square_meters && say('area', { count: home.square_meters }),
  ];
  return (
    <>
      <p class="quiet">{[province_name, ...sizes].filter(Boolean).join(' · ')}</p>
      <Pictures
        name={name}
        urls={images.toSorted((one, other) => one.order - other.order).map(({ url }) => url)}
      />
      <div class="columns">
        <Offer home={home} />
        <div>
          {description !== null && description !== '' && (
            <section>
              <h2>{say('about')}</h2>
              <p class="written">{description}</p>
            </section>
          )}
          <Amenities home={home} />
          <Calendar id={id} currency={currency} />
          <Rules home={home} />
          <Terms terms={home.cancellation_terms} />
          <Reviews id={id} rating={home.rating_average} count={home.review_count} />
        </div>
      </div>
    </>
  );
};

/** The dates, and what they cost. */
const Offer = ({ home }: { home: StayListing }) => {
  const { from, to, guests, services } = place.value;
  const { id, capacity, maximum_guest } = home;
  const isChosen = from && to ? from < to : false;
  const item = { listing_id: id, check_in_date: from ?? '', check_out_date: to ?? '', guest_number: guests };
  const items = [{ ...item, ...(services.length === 0 ? {} : { extra_service_ids: [...services] }) }];
  const quote = useReading(isChosen ? `quote ${JSON.stringify(items)}` : undefined, () =>
    homes().quoteStay({ items }),
  );
  // What this guest holds is taken for all others.
  const isHeld = heldBetween(id, from ?? '', to ?? '');
  const isFree = isHeld || quote.data?.items.every(({ available }) => available) === true;
  const wanted = { listing_id: id, from: from ?? '', to: to ?? '' };
  return (
    <section class="offer" aria-label={say('price')}>
      <h2>{say('price')}</h2>
      <OfferFields most={Math.max(maximum_guest, capacity)} />
      <Services home={home} />
      {!isChosen && <p class="quiet">{say('chooseDates')}</p>}
      <div aria-live="polite">
        {isChosen && quote.error === undefined && <ReadingState reading={quote} />}
        {isChosen && quote.error !== undefined && <Refusal error={quote.error} wanted={wanted} />}
        {quote.data && quote.error === undefined && !isFree && <Taken wanted={wanted} />}
        {quote.data && quote.error === undefined && isFree && (
          <Price preview={quote.data} zone={home.timezone} />
        )}
      </div>
      {quote.data && quote.error === undefined && isFree && (
        <>
          {!home.instant_book_enabled && <p class="quiet">{say('askHost')}</p>}
          <Link to={{ view: 'book', id }} class="button primary">
            {say('bookIt')}
          </Link>
        </>
      )}
    </section>
  );
};

const OfferFields = ({ most }: { most: number }) => {
  const { from, to, guests } = place.value;
  return (
    <div class="asked">
      <label>
        {say('arrive')}
        <input
          type="date"
          {...{ value: from ?? '', max: lastDate }}
          onChange={({ currentTarget: { value } }) =>
            choose({ from: value, ...(to && to <= value ? { to: dayAfter(value, 1) } : {}) })
          }
        />
      </label>
      <label>
        {say('leave')}
        <input
          type="date"
          {...{ value: to ?? '', max: lastDate }}
          {...(from ? { min: dayAfter(from, 1) } : {})}
          onChange={({ currentTarget: { value } }) => choose({ to: value })}
        />
      </label>
      <label>
        {say('guestCount')}
        <input
          type="number"
          {...{ min: 1, max: most, value: guests }}
          onChange={({ currentTarget: { value } }) => choose({ guests: Math.max(1, Number(value) || 1) })}
        />
      </label>
    </div>
  );
};

/** What a guest may add; required services are in every price. */
const Services = ({ home: { extra_services, currency } }: { home: StayListing }) => {
  const offered = extra_services.filter(({ is_required, is_active }) => is_active && !is_required);
  const { services } = place.value;
  if (offered.length === 0) return null;
  return (
    <fieldset>
      <legend>{say('services')}</legend>
      {offered.map(({ id, service_name, price, price_unit }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={services.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              choose({ services: checked ? [...services, id] : services.filter((one) => one !== id) })
            }
          />
          <span>
            {say('serviceOffer', { name: service_name, amount: sayMoney(price, currency) })} {say(price_unit)}
          </span>
        </label>
      ))}
    </fieldset>
  );
};
