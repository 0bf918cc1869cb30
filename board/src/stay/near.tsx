import {
  type AvailabilityByDay,
  type BrokenRule,
  NightlatchError,
  type NearestStay,
} from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import { dayAfter, nearDays, nearestFree, nightsBetween } from './free.ts';
import { Link, place } from './place.tsx';
import { useReading } from './reading.ts';
import { homes } from './service.ts';
import { say, sayDate, sayError, sayLocal, sayNights, type Sentence } from './words/index.ts';

interface Wanted {
  listing_id: number;
  from: string;
  to: string;
}

/** Why a stay is not to be had, and which ones are. */
export const Refusal = ({ error, wanted }: { error: unknown; wanted: Wanted }) => {
  const { code, details } = error instanceof NightlatchError ? error : { code: '', details: {} };
  if (code === 'STAY_NOT_ALLOWED') {
    const { reasons = [], nearest = [] } = details as { reasons?: BrokenRule[]; nearest?: NearestStay[] };
    return (
      <div class="warning stacked" role="alert">
        {reasons.length === 0 && <p>{sayError(error)}</p>}
        {reasons.map(({ rule, date, allowed }) => (
          <p key={rule + date}>
            {say(`broken_${rule}` as Sentence, { date: sayDate(date), allowed: String(allowed) })}
          </p>
        ))}
        <Stays title={say('nearest')} stays={nearest} />
      </div>
    );
  }
  const { unavailable = [] } = details as { unavailable?: { start_at: string; end_at: string }[] };
  if (code !== 'LISTING_NOT_AVAILABLE' && unavailable.length === 0)
    return (
      <div class="warning" role="alert">
        <p>{sayError(error)}</p>
        {code === 'TOO_MANY_UNPAID_BOOKINGS' && <Link to={{ view: 'bookings' }}>{say('payFirst')}</Link>}
      </div>
    );
  return <Taken {...{ wanted, spans: unavailable }} />;
};

/** The time is taken: by what, and which stays are free nearest. */
export const Taken = ({
  wanted: { listing_id, from, to },
  spans = [],
}: {
  wanted: Wanted;
  spans?: readonly { start_at: string; end_at: string }[];
}) => {
  const nights = nightsBetween(from, to);
  const reading = useReading(`near ${listing_id} ${from} ${to}`, async () => {
    const [today, start] = [Temporal.Now.plainDateISO().toString(), dayAfter(from, -nearDays)];
    const days = await homes().readStayAvailability({
      ...{ listing_id, start_date: start > today ? start : today, end_date: dayAfter(to, nearDays) },
    });
    return (days as AvailabilityByDay).items;
  });
  const free = reading.data && nearestFree(reading.data, { listing_id, from, nights });
  return (
    <div class="warning stacked" role="alert">
      <p>
        <b>{say('taken')}</b>
      </p>
      {spans.map(({ start_at, end_at }) => (
        <p key={start_at}>{say('takenSpan', { from: sayLocal(start_at), to: sayLocal(end_at) })}</p>
      ))}
      {free && (
        <Stays
          title={say(free.length === 0 ? 'freeNone' : 'freeNear', { nights: sayNights(nights) })}
          stays={free}
        />
      )}
      {place.value.view === 'book' && (
        <Link to={{ view: 'home', id: listing_id }} class="button">
          {say('chooseOther')}
        </Link>
      )}
    </div>
  );
};

const Stays = ({ title, stays }: { title: string; stays: readonly NearestStay[] }) => (
  <>
    <p>{title}</p>
    <ul class="tags">
      {stays.map(({ listing_id, check_in_date, check_out_date }) => (
        <li key={check_in_date}>
          <Link to={{ view: 'home', id: listing_id, from: check_in_date, to: check_out_date }} class="button">
            {sayDate(check_in_date)} – {sayDate(check_out_date)}
          </Link>
        </li>
      ))}
    </ul>
  </>
);
