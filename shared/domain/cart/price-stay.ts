import type { Context } from '../../platform/context.ts';
import { invalid, type Issue, ServiceError } from '../../platform/errors.ts';
import { timeOf } from '../../platform/time.ts';
import { previewCheckout } from '../checkout/index.ts';
import type { CartItem } from './cart.entity.ts';

type Stay = Pick<
  CartItem,
  'listing_id' | 'check_in' | 'check_out' | 'check_in_date' | 'check_out_date' | 'guests'
>;

export interface PricedStay {
  price: number;
  currency: string;
  listing_name: string;
  available: boolean;
}

const midnight = '00:00:00';

/** What a checkout of the stay would cost now, and whether its time is free; problems are named as the cart's input has them. */
export const priceStay = async (ctx: Context, stay: Stay): Promise<PricedStay> => {
  const [from, to] = [timeOf(stay.check_in), timeOf(stay.check_out)];
  const hasTimes = from !== midnight || to !== midnight;
  const item = {
    listing_id: stay.listing_id,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    guest_number: stay.guests,
    ...(hasTimes && { check_in_time: from, check_out_time: to }),
  };
  try {
    const { items, currency } = await previewCheckout(ctx, { items: [item] });
    const [quoted] = items;
    if (!quoted) throw new Error('nothing was quoted');
    return { price: quoted.total, currency, listing_name: quoted.listing_name, available: quoted.available };
  } catch (error) {
    throw renamed(error);
  }
};

const names: Record<string, string> = {
  check_in_date: 'check_in',
  check_in_time: 'check_in',
  check_out_date: 'check_out',
  check_out_time: 'check_out',
  guest_number: 'guests',
};

const renamed = (error: unknown): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') return error;
  const issues = (error.details['issues'] ?? []) as Issue[];
  return invalid(
    ...issues.map(({ path, message }) => {
      const field = path.replace(/^items\[0\]\./, '');
      return { path: names[field] ?? field, message };
    }),
  );
};
