import * as z from 'zod';
import { defineEntity, defineRecord, type Read, readOf, type RecordOf } from '../../platform/table/index.ts';

/** An account to which the guests of a team transfer money. */
const BankAccountRecord = defineRecord(() => ({
  /** The bank's identification number (BIN) of NAPAS. */
  bank_bin: z.string(),
  account_number: z.string(),
  account_name: z.string(),
  /** Epoch milliseconds from which new bookings are paid to it. */
  from: z.int(),
}));
export type BankAccount = RecordOf<typeof BankAccountRecord>;

const TeamAccountsRecord = defineRecord(() => ({
  team_id: z.int(),
  /** In order of their time: bookings keep the account of the time when they were made. */
  accounts: z.array(BankAccountRecord()),
  /** Checked and incremented by each write. */
  version: z.int(),
}));
export type TeamAccounts = RecordOf<typeof TeamAccountsRecord>;

export const TeamAccountsEntity = defineEntity<TeamAccounts, Pick<TeamAccounts, 'team_id'>>({
  name: 'TeamAccounts',
  meaning: 'The bank accounts of a team: of now, of before, and the next one.',
  patterns: ['those of a team, with what a booking shows'],
  record: TeamAccountsRecord,
  key: { pk: 'TEAM#{team_id}', sk: 'BANK_ACCOUNTS' },
  example: { team_id: 1 },
});

export const accountsRead = (teamId: number): Read<TeamAccounts> =>
  readOf(TeamAccountsEntity, { team_id: teamId });

/** Returns the account of an instant, in epoch milliseconds. */
export const accountAt = (found: TeamAccounts | undefined, instant: number): BankAccount | undefined =>
  found?.accounts.findLast(({ from }) => from <= instant);
