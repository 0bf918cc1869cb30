import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of bank accounts: those of a team, which are kept while its bookings are. */
export const transferData: Record<string, ClassifiedFields> = {
  BankTransfer: {
    none: 'transfer_id currency account_number received_at created_at updated_at',
    kept: 'bank_reference',
    free: 'text note',
  },
  ReportKey: { none: 'created_at', secret: 'sealed old_secrets[].sealed' },
  TeamAccounts: { none: 'accounts[].bank_bin accounts[].account_number', free: 'accounts[].account_name' },
};
