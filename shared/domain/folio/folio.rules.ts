import { type Amount, isPayable, larger, money, smaller, sum, toNumber, zero } from '../../platform/money.ts';
import { type Condition, equals, lacks } from '../../platform/table/index.ts';
import type { Posting } from './posting.entity.ts';

/** How the price of a stay falls due in two parts (D129). */
export interface PaymentPlan {
  /** The part of the price that is due at once, in the currency of the stay. */
  deposit: number;
  /** Hours before check-in from which the rest is due, unless the guest arrives before. */
  hours_before: number;
  /** The rest has fallen due. */
  is_due?: true;
}

/** What a stay's folio is kept in; all amounts are in the currency of the stay. */
export interface Account {
  /** The price of the stay. */
  total: number;
  /** Its payment plan (D129); absent: all is due at once. */
  plan?: PaymentPlan;
  /** Absent: none. */
  postings?: readonly Posting[];
  /** Incremented by each write to the postings, when the balance falls due, and with more time to pay; absent: 0. */
  folio_version?: number;
}

/** When something was posted, and by whom. */
export type Posted = Pick<Posting, 'at' | 'actor'>;

const amountOf = ({ postings = [] }: Account, isIn: (posting: Posting) => boolean): Amount =>
  sum(postings.filter(isIn).map(({ amount }) => money(amount)));

const isFee = ({ kind }: Posting): boolean => kind === 'fee';

const charged = (account: Account): Amount => amountOf(account, ({ kind }) => kind === 'charge');

const payable = (account: Account): Amount =>
  account.postings?.some(isFee) ? amountOf(account, isFee) : charged(account).plus(account.total);

const received = (account: Account): Amount =>
  amountOf(account, ({ kind }) => kind === 'payment' || kind === 'correction');

const refunded = (account: Account): Amount =>
  amountOf(account, ({ kind, is_due }) => kind === 'refund' && is_due !== true);

const kept = (account: Account): Amount =>
  received(account).minus(amountOf(account, ({ kind }) => kind === 'refund'));

/**
 * Returns what is payable for a stay less what was paid: its price and charges, or the fee of one that fell through; negative:
 * credit.
 */
export const balanceOf = (account: Account): number => toNumber(payable(account).minus(kept(account)));

/** Returns what was paid for a stay and does not go back. */
export const paidFor = (account: Account): number => toNumber(kept(account));

/** Returns what was charged for a stay beside its price. */
export const chargedFor = (account: Account): number => toNumber(charged(account));

/** Returns what is still to be paid for a stay, now or later. */
export const unpaidFor = (account: Account): number => Math.max(0, balanceOf(account));

/** Returns what of a balance was paid before it is due: a payment first pays what is due when it comes, deposit and charges. */
const paidAhead = (postings: readonly Posting[], deposit: number): Amount => {
  let [above, ahead] = [zero.minus(deposit), zero];
  for (const [at, posting] of postings.entries()) {
    const left = leftOf(postings, at + 1, posting);
    if (posting.kind === 'payment') above = above.plus(left);
    if (posting.kind === 'charge' && posting.of === undefined) above = above.minus(left);
    ahead = larger(ahead, above);
  }
  return ahead;
};

/** Returns what of the price of a stay its plan lets the guest pay later; what is charged beside it is due at once. */
const payableLater = (account: Account): Amount => {
  const { plan, total, postings = [] } = account;
  if (plan === undefined || plan.is_due || postings.some(isFee)) return zero;
  return larger(zero, money(total).minus(plan.deposit).minus(paidAhead(postings, plan.deposit)));
};

/** Returns what is due for a stay now. */
export const dueFor = (account: Account): number =>
  toNumber(larger(zero, money(balanceOf(account)).minus(payableLater(account))));

/** Returns the account as if nothing had been charged beside the price: what was paid counts for the price alone. */
export const priceOnly = <Of extends Account>(account: Of): Of =>
  account.postings === undefined
    ? account
    : {
        ...account,
        // Their numbers stay, by which others refer to them.
        postings: account.postings.map((one) => (one.kind === 'charge' ? { ...one, amount: 0 } : one)),
      };

/** Returns what is still to be paid for a stay, but not yet due. */
export const dueLaterFor = (account: Account): number =>
  toNumber(money(unpaidFor(account)).minus(dueFor(account)));

/** Returns what was paid for a stay above its price and charges. */
export const creditOf = (account: Account): number => Math.max(0, -balanceOf(account));

/** Whether a folio can hold an amount more: its sums stay exact. */
export const fitsFolio = (account: Account, amount: Amount, currency: string): boolean =>
  isPayable(payable(account).plus(received(account)).plus(amount), currency);

/** Whether the price of a stay, or the deposit of its plan, is paid, whatever is charged beside it. */
export const isDepositPaid = (account: Account): boolean => {
  const { total, plan } = account;
  const paid = kept(account);
  return paid.gte(Math.min(total, plan?.deposit ?? total)) && (paid.gt(0) || total === 0);
};

/** Returns what came in for a stay, refunded or not. */
export const receivedFor = (account: Account): number => toNumber(received(account));

/** Returns what the host still has to hand over of what was refunded for a stay. */
export const toReturnFor = (account: Account): number =>
  toNumber(amountOf(account, ({ to_return }) => to_return === true));

/** Returns what was refunded for a stay. */
export const refundedFor = (account: Account): number => toNumber(refunded(account));

/** Whether all that came in for a stay was refunded. */
export const isRefunded = (account: Account): boolean => {
  const all = received(account);
  return all.gt(0) && all.eq(refunded(account));
};

/** Returns the payments for a stay through the gateway, the oldest first. */
export const chargesOf = ({
  postings = [],
}: Account): (Posting & { payment_id: number; reference: string })[] =>
  postings.flatMap(({ payment_id, reference, ...posting }) =>
    posting.kind === 'payment' && payment_id !== undefined && reference !== undefined
      ? [{ ...posting, payment_id, reference }]
      : [],
  );

/** A charge of an online payment. */
export interface GatewayCharge {
  payment_id: number;
  transaction_id: string;
}

/** Returns the posting of a payment through the gateway; `at` in epoch milliseconds. */
export const chargePosting = (
  { payment_id, transaction_id: reference }: GatewayCharge,
  amount: number,
  at: number,
): Posting => ({ kind: 'payment', amount, at, reference, payment_id });

/** Returns the posting of a payment that the host or a partner took. */
export const takenPosting = (
  { payment_method: method }: { payment_method: NonNullable<Posting['method']> },
  amount: number,
  by: NonNullable<Posting['collected_by']>,
  posted: Posted & Pick<Posting, 'reference' | 'received_at'>,
): Posting => ({ kind: 'payment', amount, ...posted, collected_by: by, method });

/** Returns the gateway's id of the first charge that paid for a stay; null: none did. */
export const transactionOf = (account: Account): string | null => chargesOf(account)[0]?.reference ?? null;

/** Whether a partner, or the platform that sold it (D120), has collected the price of a stay (D16), and makes its refunds. */
export const isPaidToPartner = ({ postings = [] }: Account): boolean => postings.some(isByPartner);

/** A part of a refund: of one payment. */
interface RefundPart {
  /** The number of the payment. */
  of: number;
  payment: Posting;
  amount: number;
}

/** Returns what of a payment or charge was not taken back. */
const leftOf = (postings: readonly Posting[], id: number, { amount }: Posting): Amount =>
  postings
    .filter(({ of }) => of === id)
    .reduce(
      (left, { kind, amount: back }) => (kind === 'refund' ? left.minus(back) : left.plus(back)),
      money(amount),
    );

/** Returns a posting by its number in the folio, if nothing of it was taken back; undefined: there is none. */
export const untouched = ({ postings = [] }: Account, id: number): Posting | undefined => {
  const posting = postings[id - 1];
  return posting && leftOf(postings, id, posting).eq(posting.amount) ? posting : undefined;
};

/** What was charged for a stay beside its price, with its number in the folio. */
interface Charge {
  id: number;
  label: string;
  quantity: number;
  amount: number;
}

/** Returns what is charged for a stay beside its price; not what was taken out. */
export const extraChargesOf = (account: Account): Charge[] =>
  (account.postings ?? []).flatMap(({ kind, of, label = '', quantity = 1, amount }, at) =>
    kind === 'charge' && of === undefined && untouched(account, at + 1)
      ? [{ id: at + 1, label, quantity, amount }]
      : [],
  );

/** Whether a refund may be of a payment, by its number in the folio. */
export type RefundSource = (payment: Posting, id: number) => boolean;

/** Whether a partner or a platform has collected a payment. */
export const isByPartner = ({ collected_by }: Posting): boolean =>
  collected_by === 'PARTNER' || collected_by === 'PLATFORM';

/** Who collects what the price of such a stay rises by. */
export const partnerOf = ({ postings = [] }: Account): 'PARTNER' | 'PLATFORM' =>
  postings.some(({ collected_by }) => collected_by === 'PLATFORM') ? 'PLATFORM' : 'PARTNER';

/** Splits a refund among the payments for a stay, by default all of them: the newest goes back first. */
export const splitRefund = (
  { postings = [] }: Account,
  refund: number,
  isFrom: RefundSource = () => true,
): RefundPart[] => {
  let rest = money(refund);
  const parts: RefundPart[] = [];
  for (const [at, payment] of [...postings.entries()].toReversed()) {
    if (payment.kind !== 'payment' || !isFrom(payment, at + 1)) continue;
    const part = smaller(rest, leftOf(postings, at + 1, payment));
    rest = rest.minus(part);
    if (part.gt(0)) parts.push({ of: at + 1, payment, amount: toNumber(part) });
  }
  return parts;
};

/** Returns the posting of a stay that falls through: what does not go back of what was paid is payable. */
export const endPostings = (account: Account, refund: number, posted: Posted): Posting[] =>
  account.postings === undefined
    ? []
    : [{ kind: 'fee', amount: toNumber(kept(account).minus(refund)), ...posted }];

/**
 * Returns the account of a stay that fell through as it was before; undefined: money has come for it, or something was posted
 * since, except what became of a security deposit.
 */
export const withoutEnd = <Of extends Account>(account: Of): Of | undefined => {
  const { postings } = account;
  if (postings === undefined) return account;
  const last = postings.findLastIndex(({ kind }) => !kind.startsWith('deposit_'));
  const isEnd = postings[last]?.kind === 'fee' && received(account).eq(zero);
  return isEnd ? { ...account, postings: postings.toSpliced(last, 1) } : undefined;
};

/** The fields of a stay that posting sets. */
export type PostedFields = Required<Pick<Account, 'folio_version'>> & { postings: Posting[] };

/** Returns the fields of a stay with other postings. */
export const withPostings = ({ folio_version = 0 }: Account, postings: Posting[]): PostedFields => ({
  postings,
  folio_version: folio_version + 1,
});

/** Returns the fields of a stay after postings; none if there are none. To be written with {@link sameFolio}. */
export const post = (account: Account, added: readonly Posting[]): Partial<PostedFields> =>
  added.length === 0 ? {} : withPostings(account, [...(account.postings ?? []), ...added]);

/** Returns the fields of a stay whose balance falls due: no writer may take what was due before for what is due now (D129). */
export const callBalance = ({
  plan,
  folio_version = 0,
}: Pick<Account, 'folio_version'> & { plan: PaymentPlan }): Required<
  Pick<Account, 'plan' | 'folio_version'>
> => ({ plan: { ...plan, is_due: true }, folio_version: folio_version + 1 });

/** The condition that nothing was posted since a stay was read: it guards every writer, so that no two take the same sum. */
export const sameFolio = ({ folio_version }: Pick<Account, 'folio_version'>): Condition =>
  folio_version === undefined ? lacks('folio_version') : equals('folio_version', folio_version);
