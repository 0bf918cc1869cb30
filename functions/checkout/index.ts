import { takenFirst } from '../../shared/domain/calendar/index.ts';
import {
  adoptStay,
  bookForGuest,
  confirmCheckout,
  createCheckout,
  extendCheckout,
  previewCheckout,
  releaseCheckout,
} from '../../shared/domain/checkout/index.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { withIdentity } from '../../shared/platform/environment/identity-environment.ts';
import { checkoutRoutes } from './routes.ts';

export const checkout = serve(
  checkoutRoutes,
  {
    previewCheckout: (ctx, { body }) => previewCheckout(ctx, body),
    createCheckout: (ctx, { body }) => createCheckout(ctx, body),
    confirmCheckout: (ctx, { body }) => confirmCheckout(ctx, body),
    bookForGuest: (ctx, { body }) =>
      'availability_id' in body ? adoptStay(ctx, body) : bookForGuest(ctx, body),
    extendCheckout: (ctx, { params }) => extendCheckout(ctx, params.checkout_id),
    releaseCheckout: (ctx, { params }) => releaseCheckout(ctx, params.checkout_id),
  },
  { takenFirst },
);

/** The Lambda handler of the checkout routes. */
export const handler = checkout(withIdentity(paymentEnvironment));
