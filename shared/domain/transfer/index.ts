export { assignTransfer, listTransfers, returnTransfer } from './bank-transfers.ts';
export { getBankAccounts, setBankAccount, stopBankAccount } from './set-bank-account.ts';
export { removeReports, setReports } from './set-reports.ts';
export { takeReport } from './take-report.ts';
