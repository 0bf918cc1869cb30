import * as z from 'zod';
import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** A stay in a cart as stored; its availability is read each time. */
const CartItemRecord = defineRecord(() => ({
  id: z.int(),
  user_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  check_in_date: z.string(),
  check_out_date: z.string(),
  /** The listing's local time. */
  check_in: z.string(),
  check_out: z.string(),
  guests: z.int(),
  /** The last known. */
  price: z.number(),
  currency: z.string(),
  /** UTC. */
  created_at: z.string(),
  /** Epoch milliseconds; checked at every read, since TTL deletes late. */
  kept_until: z.int(),
}));
export type CartItem = RecordOf<typeof CartItemRecord>;

const cartPartition = (userId: number): string => CartItemEntity.partition({ user_id: userId });

type Ids = Pick<CartItem, 'user_id' | 'listing_id' | 'check_in_date' | 'check_out_date'>;

export const CartItemEntity = defineEntity<CartItem, Ids>({
  name: 'CartItem',
  meaning: 'A stay that a customer thinks about: one for each listing and dates.',
  patterns: ["a customer's cart"],
  record: CartItemRecord,
  key: { pk: 'CART#{user_id}', sk: '{listing_id:sortable}#{check_in_date}#{check_out_date}' },
  expiresAt: ({ kept_until }) => Math.ceil(kept_until / 1000),
  example: { user_id: 1, listing_id: 2, check_in_date: '2027-02-04', check_out_date: '2027-02-07' },
});

/**
 * The last addition to a cart, which the next one replaces: two at once conflict, so they do not pass its limit together. It
 * has its own partition: who reads the cart knows stays alone.
 */
const CartAdditionRecord = defineRecord(() => ({
  user_id: z.int(),
  /** The stay; no two additions have the same. */
  item_id: z.int(),
  /** Epoch milliseconds until which the stay is kept. */
  kept_until: z.int(),
}));
export type CartAddition = RecordOf<typeof CartAdditionRecord>;

export const CartAdditionEntity = defineEntity<CartAddition, Pick<CartAddition, 'user_id'>>({
  name: 'CartAddition',
  meaning: 'The last stay that a customer added to the cart.',
  patterns: ['has the cart got another stay meanwhile?'],
  record: CartAdditionRecord,
  key: { pk: 'CART#{user_id}#ADDITION', sk: 'ADDITION' },
  expiresAt: ({ kept_until }) => Math.ceil(kept_until / 1000),
  example: { user_id: 1 },
});

/** Reads the caller's cart, oldest first. */
export const readCart = async ({
  table,
  caller,
  clock,
}: Pick<Context<UserCaller>, 'table' | 'caller' | 'clock'>): Promise<CartItem[]> => {
  const items = await table.queryAll(CartItemEntity, { pk: cartPartition(caller.user_id) });
  return items.filter(({ kept_until }) => kept_until > clock.now()).sort((one, other) => one.id - other.id);
};
