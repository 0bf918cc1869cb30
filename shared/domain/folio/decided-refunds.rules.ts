import type { Account } from './folio.rules.ts';
import type { Posting } from './posting.entity.ts';

const isWith = (one: Posting, other: Posting | undefined): boolean =>
  other?.kind === 'refund' && other.at === one.at && other.actor === one.actor;

/** Returns the number of the first refund that was decided together with one: a decision posts its refunds in a row (D123). */
export const decisionOf = (
  { postings = [] }: Pick<Account, 'postings'>,
  isRefund: (posting: Posting) => boolean,
): number | undefined => {
  let at = postings.findLastIndex((posting) => posting.kind === 'refund' && isRefund(posting));
  const last = postings[at];
  if (!last) return undefined;
  while (isWith(last, postings[at - 1])) at--;
  return at + 1;
};

/** Returns the refunds that were decided together, by the number of the first, each with the payment that it is of. */
export const refundsDecided = (
  { postings = [] }: Pick<Account, 'postings'>,
  decision: number,
): { refund: Posting; payment: Posting | undefined }[] => {
  const [first, ...others] = postings.slice(decision - 1);
  if (first?.kind !== 'refund') return [];
  const end = others.findIndex((other) => !isWith(first, other));
  return [first, ...others.slice(0, end < 0 ? others.length : end)].map((refund) => ({
    refund,
    payment: postings[(refund.of ?? 0) - 1],
  }));
};

/** Returns the refunds that were decided when a stay fell through. */
export const refundsOfEnd = (account: Pick<Account, 'postings'>): ReturnType<typeof refundsDecided> => {
  const end = (account.postings ?? []).findIndex(({ kind }) => kind === 'fee');
  return end < 0 ? [] : refundsDecided(account, end + 2);
};
