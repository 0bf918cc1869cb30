import { type Amount, money, sum, toNumber } from '../../platform/money.ts';
import type { Account } from './folio.rules.ts';
import type { Posting } from './posting.entity.ts';

/** What a host does with a security deposit, and the kind of its posting; no other rule of the folio counts these kinds. */
export const depositKinds = {
  TAKE: 'deposit_taken',
  RETURN: 'deposit_returned',
  KEEP: 'deposit_kept',
} as const satisfies Record<string, Posting['kind']>;
export type DepositAction = keyof typeof depositKinds;

type Postings = Pick<Account, 'postings'>;

const posted = ({ postings = [] }: Postings, action: DepositAction): Amount =>
  sum(postings.filter(({ kind }) => kind === depositKinds[action]).map(({ amount }) => money(amount)));

const held = (account: Postings): Amount =>
  posted(account, 'TAKE').minus(posted(account, 'RETURN')).minus(posted(account, 'KEEP'));

/** Returns what became of the security deposit of a stay (D131), in its currency. */
export const depositOf = (account: Postings): Record<'held' | 'kept' | 'returned', number> => ({
  held: toNumber(held(account)),
  kept: toNumber(posted(account, 'KEEP')),
  returned: toNumber(posted(account, 'RETURN')),
});

/**
 * Returns the most that can be taken, returned or kept now of a security deposit of `amount`. What was returned can be taken
 * again, what was kept cannot. A change of the stay may have lowered `amount` below what is held.
 */
export const mostOfDeposit = (account: Postings, action: DepositAction, amount: number): number =>
  action === 'TAKE'
    ? Math.max(0, toNumber(money(amount).minus(held(account)).minus(posted(account, 'KEEP'))))
    : toNumber(held(account));
