import type { ChangeBooking, ChangePreview, ReadBooking } from '@nightlatch/client';
import type { ComponentChildren } from 'preact';
import { Taken } from '../chart/taken.tsx';
import type { FreeStay } from '../chart/free.ts';
import type { Fields } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { askRules, BrokenRules, type Ruled } from '../nights/broken.tsx';
import { Facts } from '../parts/facts.tsx';
import { Tick } from '../parts/tick.tsx';
import { api } from '../session/session.ts';
import { say, sayError, sayGuests, sayLocal, sayMoney } from '../words/index.ts';

interface Outcome {
  text: ComponentChildren;
  isReady: boolean;
  preview?: ChangePreview | undefined;
  /** Whether it goes against the rules of the home. */
  isOverriding: boolean;
}

interface AskedFor {
  asked: ChangeBooking | undefined;
  fields: Fields;
  /** Where and when the stay is already. */
  isSame: boolean;
}

type Change = (fields: Fields) => void;

/** Asks what a change would do; nothing is written. */
const ask = async (
  booking_id: number,
  asked: ChangeBooking,
  isOverridden: boolean,
): Promise<Ruled<ChangePreview>> => {
  const preview = (more: ChangeBooking) => api().previewChange({ booking_id, ...asked, ...more });
  return askRules(() => preview({}), isOverridden ? () => preview({ override_rules: true }) : undefined);
};

/** Shows what a change would do: old and new, the difference of the price, and what is in its way. */
export const useOutcome = (
  booking: ReadBooking,
  { asked, fields, isSame }: AskedFor,
  change: Change,
): Outcome => {
  const isOverridden = fields['override'] === 'yes';
  const name = `change ${booking.id} ${JSON.stringify(asked ?? null)} ${isOverridden}`;
  const { data, error } = useReading<Ruled<ChangePreview> | undefined>(name, async () =>
    asked ? ask(booking.id, asked, isOverridden) : undefined,
  );
  const choose = ({ listing_id, check_in_date, check_out_date }: FreeStay): void =>
    change({ listing: String(listing_id), from: check_in_date, to: check_out_date, override: '' });
  const none = { isReady: false, isOverriding: false };
  if (!asked) return { ...none, text: isSame && <p class="quiet">{say('nothingChanges')}</p> };
  if (error !== undefined) return { ...none, text: <p role="alert">{sayError(error)}</p> };
  if (!data) return { ...none, text: <p class="quiet">{say('loading')}</p> };
  const { answer: preview, broken } = data;
  return {
    text: (
      <>
        {broken && (
          <BrokenRules
            {...{ broken, isOverridden }}
            onOverride={(isTicked) => change({ override: isTicked ? 'yes' : '' })}
            onChoose={choose}
          />
        )}
        {preview?.available && <Difference {...{ booking, preview, fields, change }} />}
        {preview?.available === false && (
          <Taken wanted={{ ...preview.now, booking_id: booking.id }} onChoose={choose} />
        )}
      </>
    ),
    isReady: preview?.available === true,
    preview,
    isOverriding: broken !== undefined,
  };
};

/** Returns what the stay costs more or less, with its sign. */
export const sayDifference = ({ difference, currency }: ChangePreview): string =>
  difference === 0 ? '' : `${difference > 0 ? '+' : '−'}${sayMoney(Math.abs(difference), currency)}`;

interface DifferenceProps {
  booking: ReadBooking;
  preview: ChangePreview;
  fields: Fields;
  change: Change;
}

const Difference = ({ booking, preview, fields, change }: DifferenceProps) => {
  const { was, now, currency, difference, refund, amount_due } = preview;
  const { timezone, payment_method, amount_paid } = booking;
  const pair = (before: string, after: string) => (before === after ? null : `${before} → ${after}`);
  const time = (name: 'start_at' | 'end_at') =>
    was[name] === now[name] ? null : `${sayLocal(was[name])} → ${sayLocal(now[name], timezone)}`;
  const tick = (name: 'keep' | 'later' | 'credit', label: string) => (
    <Tick
      label={label}
      isTicked={fields[name] === 'yes'}
      onTick={(isTicked) => change({ [name]: isTicked ? 'yes' : '' })}
    />
  );
  return (
    <>
      <Facts
        rows={[
          [say('home'), pair(was.listing_name, now.listing_name)],
          [say('checkIn'), time('start_at')],
          [say('checkOut'), time('end_at')],
          [say('party'), pair(sayGuests(was.guest_number), sayGuests(now.guest_number))],
          [say('total'), pair(sayMoney(was.total, currency), sayMoney(now.total, currency))],
          [say('difference'), sayDifference(preview) || sayMoney(0, currency)],
        ]}
      />
      {refund.amount > 0 && (
        <p class="due">{say('changeRefunds', { amount: sayMoney(refund.amount, currency) })}</p>
      )}
      {amount_due > 0 && <p class="due">{say('changeDue', { amount: sayMoney(amount_due, currency) })}</p>}
      {(difference !== 0 || fields['keep'] === 'yes') && tick('keep', say('keepPrice'))}
      {(refund.amount > 0 || fields['credit'] === 'yes') && tick('credit', say('asCredit'))}
      {difference > 0 &&
        payment_method === 'ONLINE_GATEWAY' &&
        amount_paid > 0 &&
        tick('later', say('chargeLater'))}
    </>
  );
};
