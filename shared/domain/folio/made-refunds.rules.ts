import { money, sum, toNumber } from '../../platform/money.ts';
import {
  type Account,
  chargePosting,
  paidFor,
  type PostedFields,
  splitRefund,
  withPostings,
} from './folio.rules.ts';
import type { Posting } from './posting.entity.ts';

/** Returns the fields of a stay after the host has handed over a refund, by its number in the folio. */
export const withReturned = (
  account: Account,
  id: number,
  how: Pick<Posting, 'method' | 'reference'>,
): PostedFields =>
  withPostings(
    account,
    (account.postings ?? []).map(({ to_return, ...posting }, at) => {
      if (at + 1 === id) return { ...posting, ...how };
      return to_return ? { ...posting, to_return } : posting;
    }),
  );

/** Whether a refund is of a charge, or of a part of one, for which nothing was due. */
export const isUnused = ({ refund_id = '' }: { refund_id?: string }): boolean =>
  /^(charge|late|short)-/.test(refund_id);

/** A refund that the gateway has made. */
interface MadeRefund {
  refund_id: string;
  amount: number;
  payment_id: number;
  transaction_id: string;
}

/**
 * Returns the fields of a stay after a refund through the gateway was made. A folio that does not have the refund gets it: one
 * that was opened since a stay fell through keeps nothing, as refunds of that time were of all that was paid; else the charge
 * came when nothing was due, and is posted too.
 */
export const postRefundMade = (account: Account, made: MadeRefund, at: number): PostedFields => {
  const { postings = [] } = account;
  const { refund_id, amount } = made;
  if (postings.some((posting) => posting.refund_id === refund_id))
    return withPostings(
      account,
      postings.map(({ is_due, ...posting }) =>
        is_due && posting.refund_id !== refund_id ? { ...posting, is_due } : posting,
      ),
    );
  const refund = { kind: 'refund', amount, at, refund_id } as const;
  // What nothing was due of is not among the postings, though another part of its charge may be.
  const of = isUnused(made) ? 0 : postings.findIndex(({ payment_id }) => payment_id === made.payment_id) + 1;
  if (of === 0)
    return withPostings(account, [
      ...postings,
      chargePosting(made, amount, at),
      { ...refund, of: postings.length + 1 },
    ]);
  const others = splitRefund(account, paidFor(account)).filter(
    ({ payment }) => payment.payment_id === undefined,
  );
  const onSite = others.map((part) => ({ kind: 'refund' as const, amount: part.amount, at, of: part.of }));
  const back = sum([refund, ...onSite].map((one) => money(one.amount)));
  const fee = { kind: 'fee' as const, amount: -toNumber(back), at };
  return withPostings(account, [...postings, { ...refund, of }, ...onSite, fee]);
};
