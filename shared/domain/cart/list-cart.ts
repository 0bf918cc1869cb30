import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { CartItem } from './cart.entity.ts';
import type { Cart, CartRecord } from './cart.schema.ts';
import { readCart } from './cart.store.ts';
import { priceStay } from './price-stay.ts';

/** The caller's cart, each stay with what it would cost now and whether it could be booked (D53). */
export const listCart = async (ctx: Context<UserCaller>): Promise<Cart> => {
  const cart = await readCart(ctx);
  return { items: await Promise.all(cart.map((item) => asOfNow(ctx, item))) };
};

/** A stay that can no longer be booked, for whatever reason, keeps its last price and is not available. */
const asOfNow = async (ctx: Context<UserCaller>, item: CartItem): Promise<CartRecord> => {
  try {
    return { ...item, ...(await priceStay(ctx, item)) };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 429) return { ...item, available: false };
    throw error;
  }
};
