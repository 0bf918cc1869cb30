export { accountAt, accountsRead, type TeamAccounts, TeamAccountsEntity } from './bank-account.entity.ts';
export { BankTransferEntity } from './bank-transfer.entity.ts';
export { ReportKeyEntity } from './report-key.entity.ts';
export { referenceOf } from './reference.rules.ts';
export { presentTransfer } from './present-transfer.rules.ts';
export { Transfer } from './transfer.schema.ts';
