import * as z from 'zod';
import { Instant } from '../../platform/schema/schema.ts';
import { banks } from './banks.data.ts';

const accountFields = {
  bank_bin: z.string().meta({
    description: "The bank's identification number (BIN) of NAPAS, six digits.",
    examples: ['970436'],
  }),
  account_number: z.string(),
  account_name: z.string().meta({ description: 'As the bank has it.' }),
};

export const SetBankAccount = z
  .strictObject({
    bank_bin: accountFields.bank_bin.refine((bin) => banks.has(bin), 'is no bank that takes VietQR'),
    account_number: z.string().regex(/^[0-9A-Za-z]{4,19}$/, 'must have 4 to 19 letters and digits'),
    account_name: z.string().trim().min(1).max(100),
  })
  .meta({ id: 'SetBankAccount' });
export type SetBankAccount = z.infer<typeof SetBankAccount>;

const Account = z
  .object({
    bank: z.string().meta({ description: 'The name of the bank.' }),
    ...accountFields,
    effective_at: Instant.meta({ description: 'Bookings made from then on are paid to it.' }),
  })
  .meta({ id: 'BankAccount' });

/** The account of a team, and the one that takes its place (D130). */
export const BankAccounts = z
  .object({
    current: Account.nullable().meta({ description: 'Null: guests are shown none.' }),
    next: Account.nullable().meta({ description: 'Takes effect at its time unless an owner stops it.' }),
  })
  .meta({ id: 'BankAccounts' });
export type BankAccounts = z.infer<typeof BankAccounts>;

const vietcombank = { bank: 'Vietcombank', bank_bin: '970436' };
export const bankAccountsExample = {
  current: null,
  next: {
    ...vietcombank,
    ...{ account_number: '0071000123456', account_name: 'TRAN THI LINH' },
    effective_at: '2027-01-16T03:00:00.000Z',
  },
} satisfies BankAccounts;
