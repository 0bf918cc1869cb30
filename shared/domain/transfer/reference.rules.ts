/**
 * The reference of a transfer is the id of its order in ten digits of base 36, with a check digit by ISO 7064 (MOD 37,36): it needs no
 * record, and is found again in whatever a bank makes of the text (D130).
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base = digits.length;
const length = 11;
/** Order ids are multiples of 16. */
const orderStep = 16;

const remainderOf = (data: string): number => {
  let remainder = base;
  for (const digit of data) {
    const sum = (remainder + digits.indexOf(digit)) % base;
    remainder = ((sum === 0 ? base : sum) * 2) % (base + 1);
  }
  return remainder;
};

const checkDigit = (data: string): string => digits.charAt((base + 1 - remainderOf(data)) % base);

/** Returns what a guest writes into the text of a transfer for an order. */
export const referenceOf = (orderId: number): string => {
  const data = (orderId / orderStep)
    .toString(base)
    .toUpperCase()
    .padStart(length - 1, '0');
  return data + checkDigit(data);
};

/**
 * Returns the ids of the orders whose references a bank's text may hold, in their order: banks write in capitals, and put words,
 * spaces and signs before, behind and between.
 */
export const ordersIn = (text: string): number[] => {
  const written = text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const ids = new Set<number>();
  for (let at = 0; at + length <= written.length; at++) {
    const data = written.slice(at, at + length - 1);
    if (written[at + length - 1] === checkDigit(data)) ids.add(Number.parseInt(data, base) * orderStep);
  }
  return [...ids].filter(Number.isSafeInteger);
};
