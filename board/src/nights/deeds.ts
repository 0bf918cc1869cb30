import type { GuestBookingRequest } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import type { Fields } from '../data/drafts.ts';
import { readAmount } from '../booking/amount.ts';
import { api } from '../session/session.ts';

/** Nights of a home, from the first to the last one. */
export interface Nights {
  listing_id: number;
  currency: string;
  from: string;
  /** Inclusive. */
  to: string;
}

/** What a host does with nights. */
export type Deed = 'BOOK' | 'BLOCK' | 'OPEN' | 'PRICE';

/** The permission of STAFF is for blocks alone. */
export const deedsOf = (role: string): Deed[] =>
  role === 'STAFF' ? ['BLOCK', 'OPEN'] : ['BOOK', 'BLOCK', 'OPEN', 'PRICE'];

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
export const checkOutOf = ({ to }: Nights): string =>
  to === '' ? '' : Temporal.PlainDate.from(to).add({ days: 1 }).toString();

const itemOf = ({ listing_id, from }: Nights, checkOut: string, guests: string) => ({
  ...{ listing_id, check_in_date: from, check_out_date: checkOut, guest_number: Number(guests) },
});

/** What the stay costs. */
export const preview = (nights: Nights, checkOut: string, guests: string) =>
  api().previewCheckout({ items: [itemOf(nights, checkOut, guests)] });

interface Stay {
  checkOut: string;
  total: number;
}

/** Books for a guest, at the price that was shown. */
export const book = (nights: Nights, { checkOut, total }: Stay, fields: Fields, idempotencyKey: string) => {
  const { full_name = '', phone = '', email = '', guests = '1' } = fields;
  const request: GuestBookingRequest = {
    items: [itemOf(nights, checkOut, guests)],
    guest_info: { full_name, phone, ...(email === '' ? {} : { email }) },
    payment_method: 'CASH',
    expected_total: total,
  };
  return api().bookForGuest(request, { idempotencyKey });
};

export const priceOf = (fields: Fields, { currency }: Nights): number | undefined =>
  readAmount(fields['price'] ?? '', currency);
