import type { CheckoutPreview, QuoteLine } from '@nightlatch/client';
import { say, sayDate, sayInstant, sayMoney, sayName } from './words/index.ts';

/** What a line is: names of services and combos are the host's. */
const lineLabel = ({ kind, label, date }: QuoteLine): string => {
  if (kind === 'night' && date !== undefined) return say('line_night', { date: sayDate(date) });
  if (kind === 'day' && date !== undefined) return say('line_day', { date: sayDate(date) });
  const name = sayName(kind, 'line_');
  return name === kind ? label : name;
};

/** A price line by line, with what is due when. */
export const Price = ({
  preview: { items, estimated_total, total_deposit, currency },
  zone,
}: {
  preview: CheckoutPreview;
  zone: string;
}) => {
  const money = (amount: number): string => sayMoney(amount, currency);
  const due = items.reduce((sum, { amount_due }) => sum + amount_due, 0);
  const balanceAt = items.find(({ balance_due_at }) => balance_due_at !== null)?.balance_due_at;
  return (
    <>
      <ul class="lines">
        {items.flatMap(({ lines }) =>
          lines.map((line, at) => (
            <li key={at} class="line">
              <span>
                {lineLabel(line)}
                {line.quantity > 1 && <small> × {line.quantity}</small>}
              </span>
              <span class="amount">{money(line.amount)}</span>
            </li>
          )),
        )}
        <li class="line due">
          <span>{say('total')}</span>
          <span class="amount">{money(estimated_total)}</span>
        </li>
        {due < estimated_total && (
          <>
            <li class="line">
              <span>{say('dueNow')}</span>
              <span class="amount">{money(due)}</span>
            </li>
            {balanceAt && (
              <li class="line">
                <span>{say('dueLater', { date: sayInstant(balanceAt, zone) })}</span>
                <span class="amount">{money(estimated_total - due)}</span>
              </li>
            )}
          </>
        )}
        {total_deposit > 0 && (
          <li class="line quiet">
            <span>{say('deposit')}</span>
            <span class="amount">{money(total_deposit)}</span>
          </li>
        )}
      </ul>
    </>
  );
};
