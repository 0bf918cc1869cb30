import { type Amount, money, sum, toNumber } from '../../platform/money.ts';
import type { Account } from './folio.rules.ts';
import type { Posting } from './posting.entity.ts';

/** What is done with a security deposit, and the kind of its posting; no other rule of the folio counts these kinds. */
export const depositKinds = {
  TAKE: 'deposit_taken',
  RETURN: 'deposit_returned',
  KEEP: 'deposit_kept',
} as const satisfies Record<string, Posting['kind']>;
export type DepositAction = keyof typeof depositKinds;

type Postings = Pick<Account, 'postings'>;

/** Whether a posting of a deposit is of an authorisation at the gateway, and not of money that the host has. */
export const isByGateway = ({ method }: { method?: string | null | undefined }): boolean =>
  method === 'ONLINE_GATEWAY';

const posted = ({ postings = [] }: Postings, action: DepositAction): Amount =>
  sum(postings.filter(({ kind }) => kind === depositKinds[action]).map(({ amount }) => money(amount)));

const held = (account: Postings): Amount =>
  posted(account, 'TAKE').minus(posted(account, 'RETURN')).minus(posted(account, 'KEEP'));

const authorised = ({ postings = [] }: Postings): Amount => held({ postings: postings.filter(isByGateway) });

/** Returns what became of the security deposit of a stay (D131), in its currency; `authorised` is a part of `held`. */
export const depositOf = (
  account: Postings,
): Record<'held' | 'authorised' | 'kept' | 'returned', number> => ({
  held: toNumber(held(account)),
  authorised: toNumber(authorised(account)),
  kept: toNumber(posted(account, 'KEEP')),
  returned: toNumber(posted(account, 'RETURN')),
});

/** Returns what the host holds of the security deposit of a stay: not what is authorised, which the gateway releases. */
export const depositHeldFor = (account: Postings): number =>
  toNumber(held(account).minus(authorised(account)));

/**
 * Returns the most that can be taken, returned or kept now of a security deposit of `amount`, by the host or by the gateway. What
 * was returned can be taken again, what was kept cannot. A change of the stay may have lowered `amount` below what is held.
 */
export const mostOfDeposit = (
  account: Postings,
  action: DepositAction,
  amount: number,
  byGateway = false,
): number => {
  if (action === 'TAKE')
    return Math.max(0, toNumber(money(amount).minus(held(account)).minus(posted(account, 'KEEP'))));
  return byGateway ? toNumber(authorised(account)) : depositHeldFor(account);
};
