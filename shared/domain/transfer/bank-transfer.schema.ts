import * as z from 'zod';
import { CurrencyCode, Id, Instant, Money } from '../../platform/schema/schema.ts';

/** OPEN: a person has to look at it, or at the rest of it. */
export const transferStates = ['OPEN', 'MATCHED', 'RETURNED'] as const;

export const TransferState = z.enum(transferStates).meta({
  id: 'TransferState',
  description:
    'OPEN: all or a part of it is for no booking yet. MATCHED: it is. RETURNED: the rest went back.',
});

export const BankTransfer = z
  .object({
    id: z.string(),
    state: TransferState,
    amount: Money,
    rest: Money.meta({ description: 'What of it is for no booking yet.' }),
    currency: CurrencyCode,
    account_number: z.string(),
    bank_reference: z.string().meta({ description: "The bank's own id." }),
    text: z.string().meta({ description: 'As the guest and the bank have written it.' }),
    booking_ids: z.array(Id).meta({ description: 'What it has paid.' }),
    named_booking_ids: z.array(Id).meta({ description: 'The orders of the team that its text names.' }),
    note: z.string().nullable(),
    received_at: Instant,
  })
  .meta({ id: 'BankTransfer' });
export type BankTransfer = z.infer<typeof BankTransfer>;

export const AssignTransfer = z.strictObject({ booking_id: Id }).meta({ id: 'AssignTransfer' });
export type AssignTransfer = z.infer<typeof AssignTransfer>;

export const ReturnTransfer = z
  .strictObject({ note: z.string().trim().min(1).max(500) })
  .meta({ id: 'ReturnTransfer' });
export type ReturnTransfer = z.infer<typeof ReturnTransfer>;

/** Who reports transfers of a bank account, and signs the reports. */
export const reportProviders = ['sepay', 'standard'] as const;
export const ReportProvider = z.enum(reportProviders).meta({
  id: 'ReportProvider',
  description:
    'sepay: SePay’s webhooks with HMAC-SHA256. standard: Standard Webhooks with the body that the operation of its reports describes.',
});
export type ReportProvider = z.infer<typeof ReportProvider>;

export const SetReports = z
  .strictObject({
    secret: z
      .string()
      .min(16)
      .max(200)
      .optional()
      .meta({ description: 'The key that signs, where the reporter gives one; else one is made.' }),
    end_old_secret: z.boolean().optional().meta({
      description:
        'The keys before are refused at once, because one has leaked. Default: they sign for another 24 hours.',
    }),
  })
  .meta({ id: 'SetTransferReports' });
export type SetReports = z.infer<typeof SetReports>;

export const TransferReports = z
  .object({
    provider: ReportProvider,
    url: z.url().meta({ description: 'Where the reporter sends its reports.' }),
    secret: z.string().meta({ description: 'Shown this once.' }),
    old_secret_signs_until: Instant.nullable().meta({
      description: 'Until when a report by a key before is taken; null: none is.',
    }),
  })
  .meta({ id: 'TransferReports' });
export type TransferReports = z.infer<typeof TransferReports>;

/** The body of a report of the provider `standard`. */
export const BankReport = z
  .object({
    id: z.string().min(1).max(200),
    account_number: z.string().max(50),
    amount: z.number().positive(),
    currency: CurrencyCode,
    text: z.string().max(2000),
    received_at: Instant,
  })
  .meta({ id: 'BankReport' });
