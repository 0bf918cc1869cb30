export { getBankAccounts, setBankAccount, stopBankAccount } from './set-bank-account.ts';
