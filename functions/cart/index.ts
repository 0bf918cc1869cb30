import { addToCart, listCart, removeFromCart } from '../../shared/domain/checkout/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { cartRoutes } from './routes.ts';

export const cart = serve(cartRoutes, {
  addToCart: (ctx, { body }) => addToCart(ctx, body),
  listCart,
  removeFromCart: (ctx, { params }) => removeFromCart(ctx, params.item_id),
});

/** The Lambda handler of the cart. */
export const handler = cart(environment);
