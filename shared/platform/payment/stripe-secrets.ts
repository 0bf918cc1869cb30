import type { Stripe as StripeClient } from 'stripe';
import * as z from 'zod';
import { headerOf } from '../http/header.ts';
import type { RawRequest } from '../http/route.ts';
import { once } from '../once.ts';
import { BadSignature } from './payment-gateway.ts';

/** Stripe's secrets in Secrets Manager. */
export const StripeSecrets = once(() =>
  z.object({
    stripe_secret_key: z.string().min(1),
    /** While one is rotated, the old and the new one: a webhook call is signed by either. */
    stripe_webhook_secrets: z.array(z.string().min(1)).min(1).max(3),
  }),
);
export type StripeSecrets = z.infer<ReturnType<typeof StripeSecrets>>;

/** Returns the event of a webhook call that one of the secrets signs. Throws `BadSignature` otherwise. */
export const signedEvent = (
  { webhooks }: StripeClient,
  request: RawRequest,
  secrets: readonly string[],
  now: number,
): StripeClient.Event => {
  const signature = headerOf(request, 'Stripe-Signature') ?? '';
  for (const secret of secrets)
    try {
      return webhooks.constructEvent(request.body, signature, secret, undefined, undefined, now);
    } catch {
      // It may be signed by the next one.
    }
  throw new BadSignature();
};
