import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { absent, equals, put, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { whileOwner } from '../people/index.ts';
import { memberEventsOf } from '../people/model.ts';
import { accountAt, type BankAccount, type TeamAccounts, TeamAccountsEntity } from './bank-account.entity.ts';
import type { BankAccounts, SetBankAccount } from './bank-account.schema.ts';
import { bankName } from './present-transfer.rules.ts';

type Ctx = Context<UserCaller>;

/** A thief who has an owner's session gets no money within this time: every owner has a mail by then. */
const delayMs = dayMs;

/** The most accounts that a team keeps; older ones are those of bookings long past. */
const mostAccounts = 20;

/** Returns the account of the acting team, and the one that takes its place. */
export const getBankAccounts = async (ctx: Ctx): Promise<BankAccounts> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  return present(ctx, await ctx.table.get(TeamAccountsEntity, { team_id: teamId }));
};

/** Gives the acting team another account from 24 hours later on (D130); in place of one that has not taken effect yet. */
export const setBankAccount = (ctx: Ctx, given: SetBankAccount): Promise<BankAccounts> =>
  changeAccounts(ctx, (accounts, now) => [...accounts, { ...given, from: now + delayMs }]);

/** Stops an account that has not taken effect yet. Throws NOT_FOUND if there is none. */
export const stopBankAccount = (ctx: Ctx): Promise<BankAccounts> =>
  changeAccounts(ctx, (accounts, _, hadNext) => {
    if (!hadNext) throw new ServiceError('NOT_FOUND', 'No account waits to take effect.');
    return accounts;
  });

const changeAccounts = (
  ctx: Ctx,
  next: (effective: readonly BankAccount[], now: number, hadNext: boolean) => readonly BankAccount[],
): Promise<BankAccounts> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'own');
  return retryOnConflict(async () => {
    const now = ctx.clock.now();
    const before = await ctx.table.get(TeamAccountsEntity, { team_id: teamId });
    const { accounts = [], version = 0 } = before ?? {};
    const effective = accounts.filter(({ from }) => from <= now);
    const changed = next(effective, now, effective.length < accounts.length).slice(-mostAccounts);
    const after = { team_id: teamId, accounts: [...changed], version: version + 1 };
    const when = before ? equals('version', version) : absent();
    return ctx.commit(
      [put(TeamAccountsEntity, after, { when }), changedEvent(ctx, after), ...whileOwner(ctx, teamId)],
      present(ctx, after),
    );
  });
};

/** Of an account that was stopped the event has none. */
const changedEvent = (ctx: Ctx, after: TeamAccounts): Write => {
  const { team_id } = after;
  const next = nextOf(after, ctx.clock.now());
  return recordEvent(ctx, {
    subject: memberEventsOf(team_id),
    event_type: 'team.bank_account_changed',
    team_id,
    data: {
      id: team_id,
      team_id,
      account: next ? `${bankName(next.bank_bin)} …${next.account_number.slice(-4)}` : null,
      effective_at: next ? instantText(next.from) : null,
    },
  });
};

const nextOf = ({ accounts }: TeamAccounts, now: number): BankAccount | undefined =>
  accounts.find(({ from }) => from > now);

const present = ({ clock }: Ctx, found: TeamAccounts | undefined): BankAccounts => {
  const now = clock.now();
  return {
    current: presentAccount(accountAt(found, now)),
    next: presentAccount(found && nextOf(found, now)),
  };
};

const presentAccount = (account: BankAccount | undefined): BankAccounts['current'] =>
  account
    ? {
        bank: bankName(account.bank_bin),
        bank_bin: account.bank_bin,
        account_number: account.account_number,
        account_name: account.account_name,
        effective_at: instantText(account.from),
      }
    : null;
