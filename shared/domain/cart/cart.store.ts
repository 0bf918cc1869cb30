import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type CartItem, cartPartition } from './cart.entity.ts';

/** The caller's cart as it is kept, oldest first. */
export const readCart = async ({
  table,
  caller,
  clock,
}: Pick<Context<UserCaller>, 'table' | 'caller' | 'clock'>): Promise<CartItem[]> => {
  const { items } = await table.queryAll({ pk: cartPartition(caller.user_id) });
  return (items as unknown as CartItem[])
    .filter(({ kept_until }) => kept_until > clock.now())
    .sort((one, other) => one.id - other.id);
};
