import { deflateWith, inflateRaw, inflateWith } from '../../platform/compression.ts';
import type { ItemQuote } from '../pricing/model.ts';

/**
 * The deflate dictionary of frozen quotes. It must never change: quotes that were compressed with it are read with it. A
 * quote with other words is only a little longer.
 */
export const quoteDictionary = Buffer.from(
  '"weekday" "monthly_price" "night_short_discount" Late overnight discount Monthly price Com' +
    'bo discount "per_use" "per_night" "hourly" "daily" "night_short" "combo" "day" Day use on ' +
    '"hours" First Extra hours "price_first_hours" "extra_hour_price" "price_per_hour" "package' +
    '" Price of the stay "USD" {"listing_id":1,"listing_name":"","check_in_date":"2027-01-01","' +
    'check_out_date":"2027-01-04","start_at":"2027-01-01T14:00:00","end_at":"2027-01-04T12:00:0' +
    '0","nights":3,"hours":null,"guest_number":4,"adult_number":3,"children_number":1,"rooms":1' +
    ',"pricing_type":"nightly","combo_id":null,"base_price":4000000,"combo_price":null,"hourly_' +
    'price":null,"daily_price":null,"night_short_discount":0,"last_minute_discount":400000,"mon' +
    'thly_discount":0,"total_discount":400000,"extra_guest_fee":250000,"extra_adult_fee":200000' +
    ',"extra_child_fee":50000,"cleaning_fee":200000,"extra_services_total":200000,"extra_servic' +
    'es":[{"id":4,"name":"","price":50000,"price_unit":"per_person","quantity":4}],"earning":36' +
    '12500,"commission_rate":0.15,"deposit":500000,"currency":"VND","total":4250000,"lines":[{"' +
    'kind":"night","label":"Night of 2027-01-01","quantity":1,"unit_price":1000000,"amount":100' +
    '0000,"date":"2027-01-01","source":"full_rate"},{"kind":"night","label":"Night of 2027-01-0' +
    '2","quantity":1,"unit_price":1000000,"amount":1000000,"date":"2027-01-02","source":"full_r' +
    'ate"},{"kind":"night","label":"Night of 2027-01-03","quantity":1,"unit_price":2000000,"amo' +
    'unt":2000000,"date":"2027-01-03","source":"rule:4"},{"kind":"extra_adults","label":"Extra ' +
    'guests","quantity":2,"unit_price":100000,"amount":200000,"source":"extra_adult_rate"},{"ki' +
    'nd":"extra_children","label":"Children","quantity":1,"unit_price":50000,"amount":50000,"so' +
    'urce":"extra_child_rate"},{"kind":"cleaning","label":"Cleaning fee","quantity":1,"unit_pri' +
    'ce":200000,"amount":200000,"source":"cleaning_fee"},{"kind":"discount","label":"Last-minut' +
    'e discount","quantity":1,"unit_price":-400000,"amount":-400000,"source":"last_minute_disco' +
    'unt"},{"kind":"service","label":"","quantity":4,"unit_price":50000,"amount":200000,"source' +
    '":"service:"}]}',
);

/**
 * A quote as stored: JSON, deflated with a dictionary of frequent words. Three priced nights take about two hundred
 * bytes, so that an order of one stay fits into one kilobyte.
 */
type FrozenQuote = Uint8Array;

/** Fees that quotes from before do not have; they are frozen only where they are not 0. */
const laterFees: Partial<ItemQuote> = { early_check_in_fee: 0, late_check_out_fee: 0 };

export const freezeQuote = (quote: ItemQuote): FrozenQuote => {
  const stored = (field: string, value: unknown) => (value === 0 && field in laterFees ? undefined : value);
  return deflateWith(quoteDictionary, JSON.stringify(quote, stored));
};

/** Quotes from before the dictionary have no zlib header. */
export const thawQuote = (frozen: FrozenQuote): ItemQuote => {
  const json = frozen[0] === zlibHeader ? inflateWith(quoteDictionary, frozen) : inflateRaw(frozen);
  return { ...laterFees, ...(JSON.parse(json.toString()) as ItemQuote) };
};

/** Deflate with a window of 32 KB. A stream without a header never begins with this byte. */
const zlibHeader = 0x78;
