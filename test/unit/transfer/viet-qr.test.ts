import { describe, expect, it } from 'vitest';
import { Banks, QRPay } from 'vietnam-qr-pay';
import { banks } from '../../../shared/domain/transfer/banks.data.ts';
import { vietQr } from '../../../shared/domain/transfer/viet-qr.rules.ts';

describe('a VietQR code', () => {
  it('is written as published: the transfer of the README of an independent writer', () => {
    const account = { bank_bin: '970415', account_number: '113366668888' };
    expect(vietQr(account, 79_000, 'Ung Ho Quy Vac Xin')).toBe(
      '00020101021238560010A0000007270126000697041501121133666688880208QRIBFTTA53037045405790005802VN62220818Ung Ho Quy Vac Xin63043ACF',
    );
  });

  it.each([
    [{ bank_bin: '970436', account_number: '0071000123456' }, 2_200_000],
    [{ bank_bin: '970407', account_number: 'VQRQ00012ABCDEFGHIJ' }, 1],
    [{ bank_bin: '422589', account_number: '1234' }, 999_999_999_999],
  ])('is read by another reader: %j, %d', (account, amount) => {
    const read = new QRPay(vietQr(account, amount, '00HX2K9QZ4B'));
    expect(read.isValid).toBe(true);
    expect(read.consumer).toMatchObject({ bankBin: account.bank_bin, bankNumber: account.account_number });
    expect(read.amount).toBe(String(amount));
    expect(read.additionalData.purpose).toBe('00HX2K9QZ4B');
    expect(read.currency).toBe('704');
  });

  it('knows every bank that another list has', () => {
    const missing = Banks.filter(({ bin }) => bin !== '' && !banks.has(bin)).map(({ name }) => name);
    expect(missing).toEqual([]);
    for (const bin of banks.keys()) expect(bin).toMatch(/^\d{6}$/);
  });
});
