import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { absent, any, atMost, equals, put, retryOnConflict } from '../../platform/table/index.ts';
import { dateOf, isLocalDateTime, toLocal } from '../../platform/time.ts';
import { type Listing, visibleListing } from '../listing/index.ts';
import { CartItemEntity } from './cart.entity.ts';
import type { CartInput, CartRecord } from './cart.schema.ts';
import { readCart } from './cart.store.ts';
import { priceStay } from './price-stay.ts';

const keptMs = 30 * 86_400_000;
export const mostCartItems = 50;

/** Puts a stay into the caller's cart, in the place of one with the same listing and dates (D53). It locks nothing. */
export const addToCart = async (
  ctx: Context<UserCaller>,
  input: CartInput,
): Promise<CartRecord> => {
  const { listing_id, guests } = input;
  const listing = await visibleListing(ctx, listing_id);
  const [check_in, check_out] = [localOf(input.check_in, listing), localOf(input.check_out, listing)];
  const dates = { check_in_date: dateOf(check_in), check_out_date: dateOf(check_out) };
  const stay = { listing_id, check_in, check_out, ...dates, guests };
  const { available, ...priced } = await priceStay(ctx, stay);
  const { user_id } = ctx.caller;
  return retryOnConflict(async () => {
    const cart = await readCart(ctx);
    const before = cart.find(
      (item) =>
        item.listing_id === listing_id &&
        item.check_in_date === dates.check_in_date &&
        item.check_out_date === dates.check_out_date,
    );
    if (!before && cart.length >= mostCartItems)
      throw invalid({ path: 'listing_id', message: `A cart holds at most ${mostCartItems} stays.` });
    const now = ctx.clock.now();
    const id = before?.id ?? newId(ctx.clock);
    const item = { id, ...stay, ...priced, user_id, created_at: instantText(now), kept_until: now + keptMs };
    const unchanged = before ? equals('id', before.id) : any(absent(), atMost('kept_until', now));
    return ctx.commit([put(CartItemEntity, item, { when: unchanged })], { ...item, available });
  });
};

const localOf = (moment: string, { timezone }: Listing): string =>
  isLocalDateTime(moment) ? moment : toLocal(Date.parse(moment), timezone);
