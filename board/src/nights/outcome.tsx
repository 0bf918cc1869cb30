import type { ComponentChildren } from 'preact';
import {
  type BulkBlocksItem,
  type BulkPricesItem,
  type CheckoutPreview,
  NightlatchError,
} from '@nightlatch/client';
import type { Fields } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { say, sayDate, sayError, sayLocal, sayMoney, sayName, sayNights } from '../words/index.ts';
import { block, checkOutOf, type Deed, type Nights, preview, priceOf, setPrice } from './deeds.ts';

interface Outcome {
  text: ComponentChildren;
  /** Whether it is known what would come of it. */
  isReady: boolean;
  /** What the guest would pay. */
  total?: number;
}

type Answer = CheckoutPreview | { items: (BulkBlocksItem | BulkPricesItem)[] } | undefined;

/** Asks what would come of it; nothing is written. */
const ask = async (nights: Nights, deed: Deed, fields: Fields): Promise<Answer> => {
  if (nights.listing_id === 0 || nights.from === '') return undefined;
  if (deed === 'BOOK') return preview(nights, checkOutOf(nights), fields['guests'] ?? '1');
  if (deed !== 'PRICE') return block(nights, deed, { isDryRun: true });
  const price = priceOf(fields, nights);
  return price === undefined || price === 0 ? undefined : setPrice(nights, price, { isDryRun: true });
};

/** Shows what would come of it. */
export const useOutcome = (nights: Nights, deed: Deed, fields: Fields): Outcome => {
  const { listing_id, from, to, currency } = nights;
  const more = deed === 'BOOK' ? fields['guests'] : deed === 'PRICE' ? fields['price'] : '';
  const name = `outcome ${[deed, listing_id, from, to, more].join(' ')}`;
  const { data, error } = useReading<Answer>(name, () => ask(nights, deed, fields));
  if (error !== undefined) return { text: <Refusal error={error} />, isReady: false };
  if (!data) return { text: null, isReady: false };
  if ('estimated_total' in data) {
    if (!data.items.every(({ available }) => available))
      return { text: <p role="alert">{say('LISTING_NOT_AVAILABLE')}</p>, isReady: false };
    const { estimated_total: total, total_nights: count } = data;
    return {
      text: (
        <p class="due">
          {say('nightsCost', { nights: sayNights(count), amount: sayMoney(total, currency) })}
        </p>
      ),
      isReady: true,
      total,
    };
  }
  const [item] = data.items;
  if (item?.error)
    return { text: <Refusal error={new NightlatchError({ status: 409, ...item.error })} />, isReady: false };
  const ranges = item?.ranges ?? [];
  if (ranges.length === 0) return { text: <p class="quiet">{say('nothingChanges')}</p>, isReady: false };
  const word = (value: number | string): string =>
    typeof value === 'number' ? sayMoney(value, currency) : sayName(value, 'availability_');
  return {
    text: (
      <ul class="lines">
        {ranges.map(({ date_from, date_to, before, after }) => (
          <li key={date_from}>
            {sayDate(date_from)}
            {date_to === date_from ? '' : ` – ${sayDate(date_to)}`}: {word(before)} → {word(after)}
          </li>
        ))}
      </ul>
    ),
    isReady: true,
  };
};

/** Why it cannot be done; of time that is taken, which, and when the home is free again. */
export const Refusal = ({ error }: { error: unknown }) => (
  <div role="alert">
    <p>{sayError(error)}</p>
    {error instanceof NightlatchError && error.code === 'LISTING_NOT_AVAILABLE' && (
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
