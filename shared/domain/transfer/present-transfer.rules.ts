import { instantText } from '../../platform/time/clock.ts';
import type { BankAccount } from './bank-account.entity.ts';
import { banks } from './banks.data.ts';
import { referenceOf } from './reference.rules.ts';
import type { Transfer } from './transfer.schema.ts';
import { vietQr } from './viet-qr.rules.ts';

/** What is to be transferred. */
interface DueTransfer {
  order_id: number;
  amount: number;
  currency: string;
  /** Epoch milliseconds; undefined: there is no limit. */
  until: number | undefined;
}

export const bankName = (bin: string): string => banks.get(bin) ?? bin;

/** Returns what a guest needs to transfer what is due of an order to an account. */
export const presentTransfer = (account: BankAccount, due: DueTransfer): Transfer => {
  const { bank_bin, account_number, account_name } = account;
  const { order_id, amount, currency, until } = due;
  const reference = referenceOf(order_id);
  return {
    ...{ bank: bankName(bank_bin), bank_bin, account_number, account_name, amount, currency, reference },
    qr_text: currency === 'VND' ? vietQr(account, amount, reference) : null,
    expires_at: until === undefined ? null : instantText(until),
  };
};
