import type { BankAccount } from './bank-account.entity.ts';

/** The CRC-16 of EMVCo's QR codes: polynomial 1021, from FFFF, four hexadecimal digits. */
const checksum = (text: string): string => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/**
 * Returns the text of a VietQR code (NAPAS, after EMVCo's merchant-presented mode) for one transfer to an account: a whole amount in
 * VND, and what its text is to contain.
 */
export const vietQr = (
  { bank_bin, account_number }: Pick<BankAccount, 'bank_bin' | 'account_number'>,
  amount: number,
  purpose: string,
): string => {
  const account = field('00', bank_bin) + field('01', account_number);
  const text = [
    field('00', '01'),
    field('01', '12'),
    field('38', field('00', 'A000000727') + field('01', account) + field('02', 'QRIBFTTA')),
    field('53', '704'),
    field('54', String(amount)),
    field('58', 'VN'),
    field('62', field('08', purpose)),
    '6304',
  ].join('');
  return text + checksum(text);
};
