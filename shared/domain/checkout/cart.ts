import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  absent,
  any,
  atMost,
  equals,
  put,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { dateOf, dayMs, isLocalDateTime, timeOf, toLocal } from '../../platform/time/time.ts';
import { type Listing, visibleListing } from '../listing/model.ts';
import type { Cart, CartInput, CartRecord, RemovedFromCart } from './cart.schema.ts';
import {
  type CartAddition,
  CartAdditionEntity,
  type CartItem,
  CartItemEntity,
  readCart,
} from './cart.store.ts';
import { previewStays } from './preview-checkout.ts';

type Stay = Pick<
  CartItem,
  'listing_id' | 'check_in' | 'check_out' | 'check_in_date' | 'check_out_date' | 'guests'
>;

interface PricedStay {
  price: number;
  currency: string;
  listing_name: string;
  available: boolean;
}

const midnight = '00:00:00';

/** Returns the price of a checkout of the stay now, and whether its time is free; issues use the field names of the cart. */
const priceStay = async (ctx: Context, stay: Stay): Promise<PricedStay> => {
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
    const { items, currency } = await previewStays(ctx, { items: [item] });
    const [quoted] = items;
    if (!quoted) throw new Error('nothing was quoted');
    return { price: quoted.total, currency, listing_name: quoted.listing_name, available: quoted.available };
  } catch (error) {
    throw withCartFields(error);
  }
};

const cartFields: Record<string, string> = {
  check_in_date: 'check_in',
  check_in_time: 'check_in',
  check_out_date: 'check_out',
  check_out_time: 'check_out',
  guest_number: 'guests',
};

const withCartFields = (error: unknown): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') return error;
  const issues = (error.details['issues'] ?? []) as Issue[];
  return invalid(
    ...issues.map(({ path, message }) => {
      const field = path.replace(/^items\[0\]\./, '');
      return { path: cartFields[field] ?? field, message };
    }),
  );
};

/** Returns the caller's cart, each stay with its present price and availability (D53). */
export const listCart = async (ctx: Context<UserCaller>): Promise<Cart> => {
  const cart = await readCart(ctx);
  return { items: await Promise.all(cart.map((item) => presentCartItem(ctx, item))) };
};

/** Returns the cart item with its present price; a stay that cannot be booked keeps its last price and is not available. */
const presentCartItem = async (ctx: Context<UserCaller>, item: CartItem): Promise<CartRecord> => {
  try {
    return { ...item, ...(await priceStay(ctx, item)) };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 429) return { ...item, available: false };
    throw error;
  }
};

const cartItemMs = 30 * dayMs;
const maxCartItems = 50;

/** Adds a stay to the caller's cart, or replaces the one with the same listing and dates (D53). It is not held. */
export const addToCart = async (ctx: Context<UserCaller>, input: CartInput): Promise<CartRecord> => {
  const { listing_id, guests } = input;
  const listing = await visibleListing(ctx, listing_id);
  const [checkIn, checkOut] = [localOf(input.check_in, listing), localOf(input.check_out, listing)];
  const dates = { check_in_date: dateOf(checkIn), check_out_date: dateOf(checkOut) };
  const stay = { listing_id, check_in: checkIn, check_out: checkOut, ...dates, guests };
  const { available, ...priced } = await priceStay(ctx, stay);
  const { user_id } = ctx.caller;
  return retryOnConflict(async () => {
    const last = await ctx.table.get(CartAdditionEntity, { user_id });
    const cart = await readCart(ctx);
    const before = cart.find(
      (item) =>
        item.listing_id === listing_id &&
        item.check_in_date === dates.check_in_date &&
        item.check_out_date === dates.check_out_date,
    );
    if (!before && cart.length >= maxCartItems)
      throw invalid({ path: 'listing_id', message: `A cart holds at most ${maxCartItems} stays.` });
    const now = ctx.clock.now();
    const id = before?.id ?? newId(ctx.clock);
    const item = {
      id,
      ...stay,
      ...priced,
      user_id,
      created_at: instantText(now),
      kept_until: now + cartItemMs,
    };
    const unchanged = before ? equals('id', before.id) : any(absent(), atMost('kept_until', now));
    const addition = before ? [] : [countAddition(item, last)];
    return ctx.commit([put(CartItemEntity, item, { when: unchanged }), ...addition], { ...item, available });
  });
};

const countAddition = ({ id, user_id, kept_until }: CartItem, last: CartAddition | undefined): Write =>
  put(
    CartAdditionEntity,
    { user_id, item_id: id, kept_until },
    { when: last ? equals('item_id', last.item_id) : absent() },
  );

const localOf = (moment: string, { timezone }: Listing): string =>
  isLocalDateTime(moment) ? moment : toLocal(Date.parse(moment), timezone);

/** Removes a stay from the caller's cart. */
export const removeFromCart = async (ctx: Context<UserCaller>, id: number): Promise<RemovedFromCart> => {
  const item = (await readCart(ctx)).find((candidate) => candidate.id === id);
  if (!item) throw notInCart();
  const isSame = { when: equals('id', id), onConflict: notInCart };
  return ctx.commit([remove(CartItemEntity, item, isSame)], {
    message: 'The stay was removed from the cart.',
    id,
  });
};

const notInCart = () => new ServiceError('NOT_FOUND', 'There is no such stay in your cart.');
