import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of bank accounts: those of a team, which are kept while its bookings are. */
export const transferData: Record<string, ClassifiedFields> = {
  TeamAccounts: { none: 'accounts[].bank_bin accounts[].account_number', free: 'accounts[].account_name' },
};
