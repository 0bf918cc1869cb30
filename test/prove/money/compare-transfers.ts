import type { BookingDetail } from '../../../shared/domain/booking/booking.schema.ts';
import type { BankTransfer } from '../../../shared/domain/transfer/bank-transfer.schema.ts';
import { differ } from './differ.ts';
import type { Transfer } from './ledger.ts';
import { due, type Purse, waits } from './purse.ts';

/** When it is cancelled unless it is paid. */
export const timeDifferences = (purse: Purse, payUntil: number | undefined): string[] =>
  purse.state === 'PENDING' || purse.state === 'CONFIRMED'
    ? differ(`time to pay of ${purse.id}`, payUntil, purse.payUntil)
    : [];

export const shownTransfer = ({
  bank_reference,
  amount,
  rest,
  state,
  booking_ids,
  named_booking_ids,
}: BankTransfer) =>
  [bank_reference, amount, rest, state, booking_ids.join('+'), named_booking_ids.join('+')].join(' ');

export const ledgerTransfer = ({ reference, amount, rest, state, paid, named }: Transfer) =>
  [reference, amount, rest, state, paid.join('+'), named.join('+')].join(' ');

/** What guests are asked to transfer. */
export const transferDifferences = (purse: Purse, shown: BookingDetail['transfer']): string[] => {
  const isAsked =
    purse.method === 'BANK_TRANSFER' && waits(purse) && purse.state !== 'PENDING' && due(purse) > 0;
  const { payUntil } = purse;
  const until = payUntil === undefined ? null : new Date(payUntil).toISOString();
  return differ(
    `transfer of ${purse.id}`,
    shown && [shown.amount, shown.expires_at],
    isAsked ? [due(purse), until] : null,
  );
};
