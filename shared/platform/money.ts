import Big from 'big.js';

/** An exact decimal amount in the unit of its currency (D1). */
export type Amount = Big;

/** ISO 4217 active codes, funds codes included; metals, test and SDR codes have no minor unit and are left out. */
const codes = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
  CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
  HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
  MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
  RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
  USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
);

const digitsOtherThanTwo: Readonly<Record<string, number>> = {
  ...{
    BIF: 0,
    CLP: 0,
    DJF: 0,
    GNF: 0,
    ISK: 0,
    JPY: 0,
    KMF: 0,
    KRW: 0,
    PYG: 0,
    RWF: 0,
    UGX: 0,
    UYI: 0,
    VND: 0,
  },
  ...{
    VUV: 0,
    XAF: 0,
    XOF: 0,
    XPF: 0,
    BHD: 3,
    IQD: 3,
    JOD: 3,
    KWD: 3,
    LYD: 3,
    OMR: 3,
    TND: 3,
    CLF: 4,
    UYW: 4,
  },
};

/** The number of digits that every JSON reader preserves. */
const maxExactDigits = 15;

/** Returns whether the code is an active ISO 4217 currency in upper case. */
export const isCurrency = (code: string): boolean => codes.has(code);

/** Returns the decimal places of the currency's minor unit: VND 0, USD 2, KWD 3 (D1). */
export const minorDigits = (currency: string): number => {
  if (!isCurrency(currency)) throw new RangeError(`${currency} is no ISO 4217 currency`);
  return digitsOtherThanTwo[currency] ?? 2;
};

/** Returns an amount in minor units of its currency. */
export const minorUnits = (amount: Amount | number, currency: string): Amount =>
  money(amount).times(10 ** minorDigits(currency));

/** Returns an amount that is given in minor units of its currency. */
export const ofMinorUnits = (units: number, currency: string): Amount =>
  money(units).times(money(10).pow(-minorDigits(currency)));

/** Returns the exact decimal value of a JSON number or decimal text: 0.1 is one tenth. */
export const money = (value: number | string | Amount): Amount =>
  value instanceof Big ? value : new Big(value);

export const zero: Amount = money(0);

/** Rounds half-up to the currency's minor unit, away from zero on a tie. To be used once, where an amount is derived (D1). */
export const roundMoney = (amount: Amount | number, currency: string): Amount => {
  const digits = minorDigits(currency);
  const exact = money(amount);
  return decimalsOf(exact) <= digits ? exact : exact.round(digits, Big.roundHalfUp);
};

const decimalsOf = ({ c: significant, e: exponent }: Amount): number =>
  Math.max(significant.length - 1 - exponent, 0);

/** Comparing with a number would parse it each time. */
export const isZero = (amount: Amount): boolean => amount.eq(zero);

/** Returns whether the amount has no more decimals than the currency's minor unit. */
export const fitsMinorUnit = (amount: Amount | number, currency: string): boolean =>
  roundMoney(amount, currency).eq(amount);

/** Returns whether a JSON number holds the amount exactly: at most 15 digits. */
export const isExactNumber = (amount: Amount | number): boolean => {
  // Most amounts are whole, and need no decimal.
  if (Number.isInteger(amount)) return Math.abs(amount as number) < 10 ** maxExactDigits;
  const exact = money(amount);
  return Math.max(exact.e + 1, 0) + decimalsOf(exact) <= maxExactDigits;
};

/** Returns whether JSON numbers hold the amount and every smaller one in its currency: below 10^15 minor units. */
export const isPayable = (amount: Amount, currency: string): boolean =>
  amount.e < maxExactDigits - minorDigits(currency);

/** Returns the amount as a JSON number. Throws RangeError if a number cannot hold it exactly. */
export const toNumber = (amount: Amount): number => {
  if (!isExactNumber(amount))
    throw new RangeError(`${amount.toFixed()} has more digits than a JSON number holds`);
  if (decimalsOf(amount) > 0) return amount.toNumber();
  // Of a whole amount its digits are the number, which takes a tenth of the time of its text. Zero has no sign.
  let whole = 0;
  for (const digit of amount.c) whole = whole * 10 + digit;
  return whole === 0 ? 0 : amount.s * whole * 10 ** (amount.e - amount.c.length + 1);
};

export const sum = (amounts: Iterable<Amount>): Amount => {
  let total = zero;
  for (const amount of amounts) total = total.plus(amount);
  return total;
};

export const larger = (one: Amount, other: Amount): Amount => (one.gte(other) ? one : other);

export const smaller = (one: Amount, other: Amount): Amount => (one.lte(other) ? one : other);

/** Returns `percent` of the amount, rounded half-up to the currency's minor unit. */
export const percentOf = (amount: Amount, percent: number, currency: string): Amount =>
  roundMoney(amount.times(percent).times('0.01'), currency);
