import * as z from 'zod';
import {
  BankAccounts,
  bankAccountsExample,
  SetBankAccount,
} from '../../shared/domain/transfer/bank-account.schema.ts';
import {
  ReportProvider,
  SetReports,
  TransferReports,
} from '../../shared/domain/transfer/bank-transfer.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { exampleUrls } from '../../shared/platform/http/shown-examples.ts';
import { Removed } from '../../shared/platform/schema/schema.ts';

const owner = { access: 'host', permission: 'own', tag: 'Team' } as const;
const reporterOf = z.strictObject({ reporter: ReportProvider });

/** The bank account of a team, and who reports what comes to it (D130). */
export const bankRows = {
  getBankAccounts: {
    access: 'host',
    permission: 'read',
    tag: 'Team',
    method: 'GET',
    path: '/api/v1/team/bank-account',
    summary: 'The bank account to which guests of the team transfer money',
    status: 200,
    reply: BankAccounts,
    errors: [],
    examples: { reply: bankAccountsExample },
  },
  setBankAccount: {
    ...owner,
    method: 'PUT',
    path: '/api/v1/team/bank-account',
    summary: 'Gives the team another bank account, from 24 hours later on',
    description:
      'Every owner gets a mail. Until then `DELETE` stops it, and another `PUT` takes its place. Bookings keep the account of the time when they were made.',
    body: SetBankAccount,
    status: 200,
    reply: BankAccounts,
    errors: [],
    idempotent: true,
    examples: {
      body: { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' },
      reply: bankAccountsExample,
    },
  },
  stopBankAccount: {
    ...owner,
    method: 'DELETE',
    path: '/api/v1/team/bank-account',
    summary: 'Stops a bank account that has not taken effect yet',
    description: 'Every owner gets a mail. The present account stays.',
    status: 200,
    reply: BankAccounts,
    errors: ['NOT_FOUND'],
    examples: { reply: { ...bankAccountsExample, next: null } },
  },
  setTransferReports: {
    ...owner,
    method: 'PUT',
    path: '/api/v1/team/transfer-reports/{reporter}',
    summary: 'Takes signed reports of money on the team’s bank accounts',
    description:
      'Enter `url` and `secret` at the reporter; with SePay choose HMAC-SHA256. The key before signs for another 24 hours, so that no report is lost until the reporter has the new one; one that has leaked is refused at once with `end_old_secret`. With the present `secret` and `end_old_secret` only the others end.',
    params: reporterOf,
    body: SetReports,
    status: 200,
    reply: TransferReports,
    errors: [],
    secret: ['secret'],
    examples: {
      params: { reporter: 'standard' },
      body: {},
      reply: {
        provider: 'standard',
        url: `${exampleUrls.api}/api/v1/payments/bank-transfers/standard/71`,
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ29vdXJ0ZXN5',
        old_secret_signs_until: null,
      },
    },
  },
  removeTransferReports: {
    ...owner,
    method: 'DELETE',
    path: '/api/v1/team/transfer-reports/{reporter}',
    summary: 'Takes no reports of this provider any more',
    params: reporterOf,
    status: 200,
    reply: Removed,
    errors: ['NOT_FOUND'],
    examples: { params: { reporter: 'sepay' }, reply: { message: 'Reports removed.', id: exampleIds.team } },
  },
} as const;
