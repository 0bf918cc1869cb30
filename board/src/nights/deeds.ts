import type { GuestBookingRequest, PutStayRules } from '@nightlatch/client';
import type { Fields } from '../data/drafts.ts';
import { addDays } from '../chart/free.ts';
import { readAmount } from '../booking/amount.ts';
import { api } from '../session/session.ts';
import { type DayLimits, limited } from './stay-rules.ts';

/** Nights of a home, from the first to the last one. */
export interface Nights {
  listing_id: number;
  currency: string;
  from: string;
  /** Inclusive. */
  to: string;
}

/** What a host does with nights. */
export type Deed = 'BOOK' | 'BLOCK' | 'OPEN' | 'PRICE' | 'RULES';

/** The permission of STAFF is for blocks alone. */
export const deedsOf = (role: string): Deed[] =>
  role === 'STAFF' ? ['BLOCK', 'OPEN'] : ['BOOK', 'BLOCK', 'OPEN', 'PRICE', 'RULES'];

const dates = ({ listing_id, from, to }: Nights) => ({
  listing_ids: [listing_id],
  date_ranges: [{ date_from: from, date_to: to }],
});

const stateOf = (deed: Deed) => ({ state: deed === 'OPEN' ? ('AVAILABLE' as const) : ('BLOCKED' as const) });

interface Options {
  idempotencyKey?: string;
  isDryRun?: boolean;
}

/** Blocks nights, or lifts their blocks. */
export const block = (nights: Nights, deed: Deed, { idempotencyKey, isDryRun = false }: Options) =>
  api().bulkBlocks({ ...dates(nights), change: stateOf(deed), dry_run: isDryRun }, { idempotencyKey });

/** Sets the price of each night. */
export const setPrice = (nights: Nights, price: number, { idempotencyKey, isDryRun = false }: Options) =>
  api().bulkPrices({ ...dates(nights), change: { price }, dry_run: isDryRun }, { idempotencyKey });

/** The date on which the guest of nights leaves. */
export const checkOutOf = ({ to }: Nights): string => (to === '' ? '' : addDays(to, 1));

const itemOf = ({ listing_id, from }: Nights, checkOut: string, guests: string) => ({
  ...{ listing_id, check_in_date: from, check_out_date: checkOut, guest_number: Number(guests) },
});

/** What the stay costs. */
export const preview = (nights: Nights, guests: string) =>
  api().previewCheckout({ items: [itemOf(nights, checkOutOf(nights), guests)] });

/** What it costs whatever the rules of the home say; whether the time is free, the booking says. */
export const previewWithout = async (nights: Nights, guests: string) => {
  const { total_price } = await api().previewPrice(itemOf(nights, checkOutOf(nights), guests));
  return { estimated_total: total_price, items: [] };
};

interface Stay {
  total: number;
  isOverriding: boolean;
}

/** Books for a guest, at the price that was shown. */
export const book = (
  nights: Nights,
  { total, isOverriding }: Stay,
  fields: Fields,
  idempotencyKey: string,
) => {
  const { full_name = '', phone = '', email = '', guests = '1' } = fields;
  const request: GuestBookingRequest = {
    items: [itemOf(nights, checkOutOf(nights), guests)],
    guest_info: { full_name, phone, ...(email === '' ? {} : { email }) },
    payment_method: 'CASH',
    expected_total: total,
    ...(isOverriding ? { override_rules: true } : {}),
  };
  return api().bookForGuest(request, { idempotencyKey });
};

export const priceOf = (fields: Fields, { currency }: Nights): number | undefined =>
  readAmount(fields['price'] ?? '', currency);

/** Limits as the form has them. */
export const limitsIn = ({ min_nights = '', ...fields }: Fields): DayLimits => ({
  min_nights: /^[1-9]\d{0,2}$/.test(min_nights) ? Number(min_nights) : null,
  closed_to_arrival: fields['closed_to_arrival'] === 'yes',
  closed_to_departure: fields['closed_to_departure'] === 'yes',
  closed: fields['closed'] === 'yes',
});

/** Returns the rules of the home now, and with the limits of the form. */
export const readRules = async (nights: Nights, fields: Fields) => {
  const { listing_id: _, ...was } = await api().readStayRules({ listing_id: nights.listing_id });
  return { was, next: limited(was, nights, limitsIn(fields)) };
};

/** Sets limits of nights. Returns what takes them out again, where no one has changed the rules since; that is answered. */
export const setLimits = async (nights: Nights, fields: Fields): Promise<() => Promise<boolean>> => {
  const { was, next } = await readRules(nights, fields);
  const put = (rules: PutStayRules) => api().putStayRules({ listing_id: nights.listing_id, ...rules });
  const made = JSON.stringify(await put(next));
  return async () => {
    const isSame = JSON.stringify(await api().readStayRules({ listing_id: nights.listing_id })) === made;
    if (isSame) await put(was);
    return isSame;
  };
};
