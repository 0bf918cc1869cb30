import type { Folio } from '../../../shared/domain/booking/folio.schema.ts';
import { differ, sum } from './differ.ts';
import type { Ledger } from './ledger.ts';
import { charged, type Entry, fell, isEnded, type Purse } from './purse.ts';

type Posting = Folio['postings'][number];

const ofPosting = ({ id, at, kind, amount, method, collected_by, payment_id, of, to_return }: Posting) => ({
  ...{ id, kind, amount, at, method, collected_by, payment_id, of, to_return },
});

const ofEntry = (entry: Entry, id: number): ReturnType<typeof ofPosting> => {
  const { kind, amount, at, method = null, by, payment, of = null, isToReturn = false } = entry;
  const isPayment = kind === 'payment';
  return {
    ...{ id, kind, amount, at: new Date(at).toISOString() },
    method: isPayment && by === 'GATEWAY' ? 'ONLINE_GATEWAY' : (method as Posting['method']),
    collected_by: isPayment ? (by ?? null) : null,
    payment_id: isPayment || method === 'ONLINE_GATEWAY' ? (payment ?? null) : null,
    ...{ of, to_return: isToReturn },
  };
};

/** Compares the folio of a stay with its entries; which of them are new is noted. */
export const folioDifferences = (
  purse: Purse,
  strays: Ledger['strays'],
  postings: readonly Posting[],
  now: number,
): string[] => {
  const { entries, id, total } = purse;
  const what = `folio of ${id}:`;
  const own = new Map(postings.filter((one) => one.id > 0).map((one) => [one.id, one]));
  const priceParts = postings.filter((one) => one.id === 0).map(({ kind, amount }) => [kind, amount]);
  const changed = sum(entries.filter(({ kind }) => kind === 'change').map(({ amount }) => amount));
  const reversals = fell(purse)
    ? [['stay', -total], ...(charged(purse) === 0 ? [] : [['charge', -charged(purse)]])]
    : [];
  const problems = differ(`${what} price`, priceParts, [['stay', total - changed], ...reversals]);
  // What came when nothing was due is posted with its refund, once that is made: before or after what else is new.
  for (let at = purse.looked ?? 0; fell(purse) && at <= entries.length; at++) {
    const found = strayAt(purse, strays, [own.get(at + 1), own.get(at + 2)], now);
    if (found.length === 0) continue;
    entries.splice(at++, 0, ...found);
    isEnded(purse);
  }
  entries.forEach((entry, at) => {
    const posted = own.get(at + 1);
    own.delete(at + 1);
    if (entry.isDue && posted) {
      delete entry.isDue;
      isEnded(purse);
    }
    const isHidden = entry.isDue === true || (entry.kind === 'fee' && entry.amount === 0);
    if (isHidden && !posted) return;
    problems.push(...differ(`${what} ${at + 1}`, posted && ofPosting(posted), ofEntry(entry, at + 1)));
  });
  if (own.size > 0) problems.push(`${what} has ${JSON.stringify([...own.values()])}`);
  purse.looked = entries.length;
  return problems;
};

/** Both postings of money that came when nothing was due, if these are they and it is not posted yet. */
const strayAt = (
  { entries }: Purse,
  strays: Ledger['strays'],
  [paid, back]: readonly (Posting | undefined)[],
  at: number,
): Entry[] => {
  if (paid?.kind !== 'payment' || back?.kind !== 'refund' || back.of !== paid.id) return [];
  const { id, payment_id, amount } = paid;
  const payment = payment_id ?? 0;
  const came = sum(strays.filter((one) => one.payment === payment).map((one) => one.amount));
  const posted = entries.filter((one) => one.kind === 'payment' && one.isStray && one.payment === payment);
  if (sum(posted.map((one) => one.amount)) + amount > came) return [];
  return [
    { kind: 'payment', amount, at, by: 'GATEWAY', payment, isStray: true },
    { kind: 'refund', amount, at, of: id, isStray: true },
  ];
};
