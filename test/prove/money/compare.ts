import type { Folio } from '../../../shared/domain/booking/folio.schema.ts';
import type { BankTransfer } from '../../../shared/domain/transfer/bank-transfer.schema.ts';
import type { ReadBooking } from '../../../shared/domain/booking/booking.schema.ts';
import { type Charge, refundedOf } from '../service/bank.ts';
import { ledgerTransfer, shownTransfer, timeDifferences, transferDifferences } from './compare-transfers.ts';
import { folioDifferences } from './compare-folio.ts';
import { differ, sum } from './differ.ts';
import type { Ledger } from './ledger.ts';
import {
  type Adjustment,
  balance,
  balanceDueAt,
  charged,
  depositLeft,
  depositOf,
  due,
  dueLater,
  type Entry,
  fell,
  isCollected,
  isSecured,
  isUnpaid,
  type Purse,
  received,
  refunded,
  toReturn,
  waits,
} from './purse.ts';
import { dateAfter } from './scene.ts';
import type { Announced } from './world.ts';

/** What service and bank show at one moment. */
export interface Shown {
  folio: Folio;
  details: readonly Detail[];
  /** Of each stay, as it was asked for. */
  adjustments: readonly (readonly Omit<Adjustment, 'key'>[])[];
  /** Until when each stay is to be paid. */
  payUntil: readonly (number | undefined)[];
  transfers: readonly BankTransfer[];
  charges: readonly Charge[];
  events: readonly Announced[];
  now: number;
  /** All that the gateway has to do is done. */
  isQuiet: boolean;
}

type Detail = Pick<
  ReadBooking,
  | ('state' | 'payment_status' | 'total_price' | 'amount_due' | 'amount_paid' | 'amount_refunded')
  | ('check_in_date' | 'check_out_date')
  | ('amount_to_return' | 'deposit_to_return' | 'allowed_actions')
  | ('secured' | 'charges' | 'security_deposit' | 'amount_due_later' | 'balance_due_at' | 'transfer')
>;

/** Compares a ledger with what is shown. What the gateway has made meanwhile is noted in the ledger. */
export const differences = (ledger: Ledger, shown: Shown): string[] => {
  const postings = Map.groupBy(shown.folio.postings, ({ booking_id }) => booking_id);
  return [
    ...ledger.purses.flatMap((purse) =>
      folioDifferences(purse, ledger.strays, postings.get(purse.id) ?? [], shown.now),
    ),
    ...sumDifferences(ledger, shown),
    ...ledger.purses.flatMap((purse, at) => detailDifferences(purse, shown.details[at], shown.now)),
    ...ledger.purses.flatMap(({ id, asked }, at) =>
      differ(
        `adjustments of ${id}`,
        (shown.adjustments[at] ?? []).map(textOf),
        asked.adjustments.map(textOf),
      ),
    ),
    ...ledger.purses.flatMap((purse, at) => timeDifferences(purse, shown.payUntil[at])),
    ...differ(
      'transfers',
      shown.transfers.map(shownTransfer).sort(),
      ledger.transfers.map(ledgerTransfer).sort(),
    ),
    ...bankDifferences(ledger, shown),
    ...(shown.isQuiet ? holdDifferences(ledger, shown) : []),
    ...eventDifferences(ledger, shown),
  ];
};

const textOf = ({ amount, percent, reason }: Omit<Adjustment, 'key'>): string =>
  `${reason} ${amount ?? `${percent} %`}`;

const statusOf = (purses: readonly Purse[]): string => {
  const standing = purses.filter((purse) => !fell(purse));
  const order = standing.length > 0 ? ['PENDING', 'PAID', 'REFUNDED'] : ['PAID', 'REFUNDED', 'PENDING'];
  const all = (standing.length > 0 ? standing : purses).map(({ status }) => status as string);
  return order.find((status) => all.includes(status)) ?? '';
};

const firstOf = (instants: readonly number[]): string | null =>
  instants.length === 0 ? null : new Date(Math.min(...instants)).toISOString();

const sumsOf = (purses: readonly Purse[]) => ({
  payment_status: statusOf(purses),
  amount_due: sum(purses.filter(waits).map(due)),
  amount_due_later: sum(purses.filter(isUnpaid).map(dueLater)),
  balance_due_at: firstOf(purses.filter((purse) => isUnpaid(purse) && dueLater(purse) > 0).map(balanceDueAt)),
  amount_paid: sum(purses.map(received)),
  amount_refunded: sum(purses.map(refunded)),
  secured: purses.every(isSecured),
});

const shownDeposit = ({ payment_expires_at: _, payment_url, ...sums }: Detail['security_deposit']) => ({
  ...sums,
  hasPage: payment_url !== null,
});

const depositsOf = (purses: readonly Purse[], now: number) => {
  const all = purses.map((purse) => ({ amount: purse.deposit, ...depositOf(purse) }));
  return {
    amount: sum(all.map(({ amount }) => amount)),
    held: sum(all.map(({ held }) => held)),
    authorised: sum(all.map(({ authorised }) => authorised)),
    kept: sum(all.map(({ kept }) => kept)),
    returned: sum(all.map(({ returned }) => returned)),
    hasPage: purses.some(({ hold }) => hold && !hold.isAuthorised && now < hold.endsAt),
  };
};

const shownSums = ({
  payment_status,
  amount_due,
  amount_due_later,
  balance_due_at,
  amount_paid,
  amount_refunded,
  secured,
}: Omit<
  Detail,
  | (
      | 'check_in_date'
      | 'check_out_date'
      | 'state'
      | 'total_price'
      | 'charges'
      | 'security_deposit'
      | 'transfer'
    )
  | ('amount_to_return' | 'deposit_to_return' | 'allowed_actions')
>) => ({
  ...{ payment_status, amount_due, amount_due_later, balance_due_at, amount_paid, amount_refunded, secured },
});

const sumDifferences = ({ purses }: Ledger, { folio, now }: Shown): string[] => {
  return [
    ...differ('folio', shownSums(folio), sumsOf(purses)),
    ...differ('balance', folio.balance, sum(purses.map(balance))),
    ...differ('to return', folio.amount_to_return, sum(purses.map(toReturn))),
    ...differ('security deposit', shownDeposit(folio.security_deposit), depositsOf(purses, now)),
  ];
};

const detailDifferences = (purse: Purse, detail: Detail | undefined, now: number): string[] => {
  if (!detail) return [`${purse.id} is not shown`];
  const { state, total_price, check_in_date, check_out_date } = detail;
  const { shift, nights } = purse.asked;
  return [
    ...differ(
      `detail of ${purse.id}`,
      { state, total_price, ...shownSums(detail) },
      {
        ...{ state: purse.state, total_price: purse.total, ...sumsOf([purse]) },
      },
    ),
    ...differ(
      `dates of ${purse.id}`,
      [check_in_date, check_out_date],
      [dateAfter(shift), dateAfter(shift + nights)],
    ),
    ...transferDifferences(purse, detail.transfer),
    ...differ(`charges of ${purse.id}`, sum(detail.charges.map(({ amount }) => amount)), charged(purse)),
    ...differ(
      `security deposit of ${purse.id}`,
      shownDeposit(detail.security_deposit),
      depositsOf([purse], now),
    ),
    ...differ(
      `to hand over of ${purse.id}`,
      [detail.amount_to_return, detail.deposit_to_return, detail.allowed_actions.includes('RETURN_REFUND')],
      [toReturn(purse), depositLeft(purse), toReturn(purse) > 0],
    ),
  ];
};

/** The bank has refunded what is noted as made, and nothing that was not decided. */
const bankDifferences = (ledger: Ledger, { charges, isQuiet }: Shown): string[] => {
  const entries = ledger.purses.flatMap((purse) => purse.entries);
  return [...new Set(charges.map(({ payment_id }) => payment_id))].flatMap((payment) => {
    const back = entries.filter((one) => one.kind === 'refund' && one.payment === payment);
    const strays = ledger.strays.filter((stray) => stray.payment === payment);
    const wanted = sum([...back, ...strays].map(({ amount }) => amount));
    const made = sum(back.filter(({ isDue }) => !isDue).map(({ amount }) => amount));
    const own = charges.filter(({ payment_id }) => payment_id === payment);
    const gone = sum(own.map(refundedOf));
    const isRight = isQuiet
      ? gone === wanted && made + sum(strays.map(({ amount }) => amount)) === gone
      : gone >= made && gone <= wanted;
    return isRight
      ? []
      : [`payment ${payment}: the bank has refunded ${gone}, of ${made} made and ${wanted} decided`];
  });
};

/** The bank holds what is authorised, and has captured what is kept, of each deposit. */
const holdDifferences = ({ purses }: Ledger, { charges }: Shown): string[] =>
  charges
    .filter(({ isHold }) => isHold)
    .flatMap(({ payment_id, state, amount, captured = amount }) => {
      const held = purses.some(({ hold }) => hold?.payment === payment_id && hold.isAuthorised) ? amount : 0;
      const kept = purses
        .flatMap(({ entries }) => entries)
        .filter(({ kind, payment }) => kind === 'deposit_kept' && payment === payment_id);
      return differ(
        `deposit ${payment_id} at the bank, authorised and captured`,
        [state === 'authorised' ? amount : 0, state === 'paid' ? captured : 0],
        [held, sum(kept.map((one) => one.amount))],
      );
    });

const depositActions = [
  ['TAKE', 'deposit_taken'],
  ['RETURN', 'deposit_returned'],
  ['KEEP', 'deposit_kept'],
] as const;

const eventDifferences = ({ purses }: Ledger, { events, charges, isQuiet }: Shown): string[] => {
  const amounts = (type: string, isIn: (event: Announced) => boolean): number =>
    sum(events.filter((one) => one.event_type === type && isIn(one)).map(({ data }) => data.amount ?? 0));
  const byGateway = amounts('payment.refunded', ({ data }) => data.payment_transaction_id !== null);
  const gone = sum(charges.map(refundedOf));
  return [
    ...purses.flatMap((purse) => {
      const { id, entries } = purse;
      const isOf = ({ data }: Announced): boolean => data.id === id;
      const posted = (isIn: (entry: Entry) => boolean): number =>
        sum(entries.filter((entry) => !entry.isStray && isIn(entry)).map(({ amount }) => amount));
      const isElsewhere = ({ kind, payment, of = 0 }: Entry): boolean =>
        kind === 'refund' &&
        payment === undefined &&
        (!isCollected(purse) || entries[of - 1]?.by === 'PARTNER');
      return [
        ...differ(
          `events of what was paid for ${id}`,
          amounts('payment.paid', isOf),
          posted(({ kind, isFirst, by }) => kind === 'payment' && !isFirst && by !== 'PARTNER'),
        ),
        ...differ(
          `events of corrections of ${id}`,
          -amounts('payment.corrected', isOf),
          posted(({ kind }) => kind === 'correction'),
        ),
        ...differ(`events of balances of ${id}`, amounts('payment.due', isOf), purse.called),
        ...depositActions.flatMap(([action, kind]) =>
          differ(
            `events of the deposit of ${id}: ${action}`,
            amounts('booking.deposit_changed', (one) => isOf(one) && one.data.action === action),
            posted((entry) => entry.kind === kind),
          ),
        ),
        ...differ(`events of charges of ${id}`, amounts('booking.charged', isOf), charged(purse)),
        ...differ(
          `events of what host or partner refund of ${id}`,
          amounts('payment.refunded', (one) => isOf(one) && one.data.payment_transaction_id === null),
          posted(isElsewhere),
        ),
      ];
    }),
    ...((isQuiet ? byGateway !== gone : byGateway > gone)
      ? [`events say that the gateway refunded ${byGateway}, the bank ${gone}`]
      : []),
  ];
};
