import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { transferStates } from './bank-transfer.schema.ts';

/** Money that has come to an account of a team, as its bank's reporter says. */
const BankTransferRecord = defineRecord(() => ({
  team_id: z.int(),
  /** Of the account, the bank's own id and the amount: a repeated report is the same record. */
  transfer_id: z.string(),
  state: z.enum(transferStates),
  amount: z.number(),
  /** What of it is for no booking yet. */
  rest: z.number(),
  currency: z.string(),
  account_number: z.string(),
  bank_reference: z.string(),
  text: z.string(),
  /** What its text names, and what it has paid. */
  named_orders: z.array(z.int()),
  booking_ids: z.array(z.int()),
  note: z.string().exactOptional(),
  /** UTC; when the bank took it, and when it was reported. */
  received_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Checked and incremented by each write. */
  version: z.int(),
}));
export type BankTransfer = RecordOf<typeof BankTransferRecord>;

export const BankTransferEntity = defineEntity<BankTransfer, Pick<BankTransfer, 'team_id' | 'transfer_id'>>({
  name: 'BankTransfer',
  meaning: 'Money that has come to an account of a team.',
  patterns: ['one by its id', 'those of a team in a state, newest first'],
  record: BankTransferRecord,
  // Not with the team's members and keys: who takes reports writes here alone.
  key: { pk: 'BANK_TRANSFERS#{team_id}', sk: '{transfer_id}' },
  indexes: [{ index: 'by_team', pk: 'TEAM#{team_id}#TRANSFERS#{state}', sk: '{received_at}#{transfer_id}' }],
  example: { team_id: 1, transfer_id: 'k3Jx0ZQ2mXwLtR4vYcNfHs' },
});

/** Some banks give a reference to several transactions; two of one amount would be the same. */
export const transferIdOf = ({
  account_number,
  id,
  amount,
}: {
  account_number: string;
  id: string;
  amount: number;
}): string =>
  createHash('sha256').update(`${account_number} ${id} ${amount}`).digest('base64url').slice(0, 22);
