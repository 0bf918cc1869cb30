import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { equals, remove } from '../../platform/table/index.ts';
import { CartItemEntity } from './cart.entity.ts';
import type { RemovedFromCart } from './cart.schema.ts';
import { readCart } from './cart.store.ts';

/** Takes a stay out of the caller's cart. */
export const removeFromCart = async (ctx: Context<UserCaller>, id: number): Promise<RemovedFromCart> => {
  const item = (await readCart(ctx)).find((candidate) => candidate.id === id);
  if (!item) throw notInCart();
  const isSame = { when: equals('id', id), onConflict: notInCart };
  return ctx.commit([remove(CartItemEntity, item, isSame)], {
    message: 'The stay was taken out of the cart.',
    id,
  });
};

const notInCart = () => new ServiceError('NOT_FOUND', 'There is no such stay in your cart.');
