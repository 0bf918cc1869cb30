/**
 * Returns an amount as people write it: "500.000", "500 000", "500,000 ₫" and "500000" are the same in đồng, "12,50" and "12.50" the
 * same in dollars. Undefined: it can be read in two ways, or not at all.
 */
export const readAmount = (written: string, currency: string): number | undefined => {
  const text = written.replace(/[\s\u00a0₫đ$€£]|VND|USD|EUR/gi, '');
  const digits = fractionDigits(currency);
  if (/^\d+$/.test(text)) return Number(text);
  // Groups of three are thousands, where the currency has no such fraction.
  if (/^\d{1,3}([.,]\d{3})+$/.test(text) && digits < 3) return Number(text.replace(/[.,]/g, ''));
  const [, whole = '', fraction = ''] = /^(\d+|\d{1,3}(?:[.,]\d{3})+)[.,](\d+)$/.exec(text) ?? [];
  if (whole === '' || fraction.length > digits) return undefined;
  return Number(`${whole.replace(/[.,]/g, '')}.${fraction}`);
};

const fractionDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
