import type { ComponentChildren } from 'preact';
import { type BulkBlocksItem, type BulkPricesItem, NightlatchError } from '@nightlatch/client';
import { addDays, type FreeStay, nightsBetween } from '../chart/free.ts';
import { Taken } from '../chart/taken.tsx';
import type { Fields } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { say, sayDate, sayError, sayLocal, sayMoney, sayName, sayNights } from '../words/index.ts';
import { askRules, BrokenRules, type Ruled } from './broken.tsx';
import {
  block,
  checkOutOf,
  type Deed,
  limitsIn,
  type Nights,
  preview,
  previewWithout,
  priceOf,
  readRules,
  setPrice,
} from './deeds.ts';
import { changesOn, type DayLimits } from './stay-rules.ts';

interface Outcome {
  text: ComponentChildren;
  /** Whether it is known what would come of it. */
  isReady: boolean;
  /** What the guest would pay. */
  total?: number;
  /** Whether it goes against the rules of the home. */
  isOverriding?: boolean;
  isTaken?: boolean;
}

/** What the guest would pay, with the stays that are free or not. */
interface Priced {
  estimated_total: number;
  items: (FreeStay & { available: boolean; start_at: string; end_at: string })[];
}

interface Range<Value> {
  date_from: string;
  date_to: string;
  before: Value;
  after: Value;
}

type Answer =
  | { stay: Ruled<Priced> }
  | { items: (BulkBlocksItem | BulkPricesItem)[] }
  | { limits: Range<DayLimits>[] | undefined }
  | undefined;

const isOverridden = (fields: Fields): boolean => fields['override'] === 'yes';

/** Asks what would come of it; nothing is written. */
const ask = async (nights: Nights, deed: Deed, fields: Fields): Promise<Answer> => {
  if (nights.listing_id === 0 || nights.from === '') return undefined;
  const { guests = '1' } = fields;
  if (deed === 'BOOK') {
    const without = () => previewWithout(nights, guests);
    return {
      stay: await askRules<Priced>(() => preview(nights, guests), isOverridden(fields) ? without : undefined),
    };
  }
  if (deed === 'RULES') {
    const { was, next } = await readRules(nights, fields);
    return { limits: changesOn(was, next, nights) };
  }
  if (deed !== 'PRICE') return block(nights, deed, { isDryRun: true });
  const price = priceOf(fields, nights);
  return price === undefined || price === 0 ? undefined : setPrice(nights, price, { isDryRun: true });
};

const asksFor: Partial<Record<Deed, (fields: Fields) => string>> = {
  BOOK: (fields) => `${fields['guests']} ${isOverridden(fields)}`,
  PRICE: (fields) => fields['price'] ?? '',
  RULES: (fields) => JSON.stringify(limitsIn(fields)),
};

type Change = (fields: Fields) => void;

/** Shows what would come of it. */
export const useOutcome = (nights: Nights, deed: Deed, fields: Fields, change: Change): Outcome => {
  const { listing_id, from, to, currency } = nights;
  const name = `outcome ${[deed, listing_id, from, to, asksFor[deed]?.(fields)].join(' ')}`;
  const { data, error } = useReading<Answer>(name, () => ask(nights, deed, fields));
  if (error !== undefined) return { text: <Refusal error={error} />, isReady: false };
  if (!data) return { text: null, isReady: false };
  if ('stay' in data) return outcomeOfStay(data.stay, nights, fields, change);
  if ('limits' in data)
    return data.limits === undefined
      ? { text: <p role="alert">{say('VALIDATION_ERROR')}</p>, isReady: false }
      : outcomeOfRanges(data.limits, sayLimits);
  const [item] = data.items;
  if (item?.error)
    return { text: <Refusal error={new NightlatchError({ status: 409, ...item.error })} />, isReady: false };
  return outcomeOfRanges<number | string>(item?.ranges ?? [], (value) =>
    typeof value === 'number' ? sayMoney(value, currency) : sayName(value, 'availability_'),
  );
};

const outcomeOfStay = (
  { answer, broken }: Ruled<Priced>,
  nights: Nights,
  fields: Fields,
  change: Change,
): Outcome => {
  const choose = (stay: FreeStay): void =>
    change({
      ...{ listing: String(stay.listing_id), from: stay.check_in_date, override: '' },
      to: addDays(stay.check_out_date, -1),
    });
  const taken = answer?.items.find(({ available }) => !available);
  const text = (
    <>
      {broken && (
        <BrokenRules
          {...{ broken }}
          isOverridden={isOverridden(fields)}
          onOverride={(isTicked) => change({ override: isTicked ? 'yes' : '' })}
          onChoose={choose}
        />
      )}
      {taken && <Taken wanted={taken} onChoose={choose} />}
      {answer && !taken && (
        <p class="due">
          {say('nightsCost', {
            nights: sayNights(nightsBetween(nights.from, checkOutOf(nights))),
            amount: sayMoney(answer.estimated_total, nights.currency),
          })}
        </p>
      )}
    </>
  );
  if (!answer || taken) return { text, isReady: false, isTaken: taken !== undefined };
  return { text, isReady: true, total: answer.estimated_total, isOverriding: broken !== undefined };
};

const outcomeOfRanges = <Value,>(
  ranges: readonly Range<Value>[],
  sayValue: (value: Value) => string,
): Outcome => {
  if (ranges.length === 0) return { text: <p class="quiet">{say('nothingChanges')}</p>, isReady: false };
  return {
    text: (
      <ul class="lines">
        {ranges.map(({ date_from, date_to, before, after }) => (
          <li key={date_from}>
            {sayDate(date_from)}
            {date_to === date_from ? '' : ` – ${sayDate(date_to)}`}: {sayValue(before)} → {sayValue(after)}
          </li>
        ))}
      </ul>
    ),
    isReady: true,
  };
};

const sayLimits = ({ min_nights, closed_to_arrival, closed_to_departure, closed }: DayLimits): string =>
  [
    closed ? say('closedNight') : '',
    closed_to_arrival ? say('closedToArrival') : '',
    closed_to_departure ? say('closedToDeparture') : '',
    min_nights !== null && min_nights > 1 ? say('minNights', { count: min_nights }) : '',
  ]
    .filter((text) => text !== '')
    .join(', ') || say('noLimits');

interface RefusalProps {
  error: unknown;
  /** Whether the outcome says what has the time now. */
  isShown?: boolean | undefined;
}

/** Why it cannot be done; of time that is taken, which, and when the home is free again. */
export const Refusal = ({ error, isShown }: RefusalProps) => {
  const isTaken = error instanceof NightlatchError && error.code === 'LISTING_NOT_AVAILABLE';
  if (isTaken && isShown) return <p role="alert">{say('takenMeanwhile')}</p>;
  return (
    <div role="alert">
      <p>{sayError(error)}</p>
      {isTaken && (
        <>
          {error.details.unavailable.map(({ start_at, end_at }) => (
            <p key={start_at}>{say('taken', { from: sayLocal(start_at), to: sayLocal(end_at) })}</p>
          ))}
          {error.details.free_again.map(
            ({ listing_id, at }) =>
              at !== null && <p key={listing_id}>{say('freeAgain', { time: sayLocal(at) })}</p>,
          )}
        </>
      )}
    </div>
  );
};
