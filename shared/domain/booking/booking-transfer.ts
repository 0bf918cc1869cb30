import type { Context } from '../../platform/context.ts';
import { dueFor } from '../folio/model.ts';
import {
  accountAt,
  accountsRead,
  presentTransfer,
  type TeamAccounts,
  type Transfer,
} from '../transfer/model.ts';
import { isUnpaid, totalOf } from './booking.rules.ts';
import type { Reservation } from './reservation.entity.ts';
import { awaitsTransfer } from './stay-row.rules.ts';

/** Returns the accounts to which what is due of stays is transferred; undefined: nothing is, or to several teams (D130). */
export const readAccounts = async (
  { table }: { table: Pick<Context['table'], 'getAll'> },
  stays: readonly Reservation[],
): Promise<TeamAccounts | undefined> => {
  const teams = new Set(stays.filter(isTransferred).map(({ team_id }) => team_id));
  const [teamId] = teams;
  if (teamId === undefined || teams.size > 1) return undefined;
  // An account is a day old before it takes effect.
  const [accounts] = await table.getAll([accountsRead(teamId)], { consistent: false });
  return accounts;
};

const isTransferred = (stay: Reservation): boolean =>
  stay.payment_method === 'BANK_TRANSFER' && isUnpaid(stay);

/** Returns how what is due of stays is transferred; null: not by transfer, or to an account that their host has not given (D130). */
export const transferOf = (
  accounts: TeamAccounts | undefined,
  stays: readonly Reservation[],
): Transfer | null => {
  const due = stays.filter(awaitsTransfer);
  const [first] = due;
  const account = first && accountAt(accounts, Date.parse(first.created_at));
  if (!account) return null;
  const until = due.flatMap(({ pay_until }) => pay_until ?? []);
  return presentTransfer(account, {
    order_id: first.order_id,
    amount: totalOf(due.map(dueFor)),
    currency: first.currency,
    until: until.length === 0 ? undefined : Math.min(...until),
  });
};
