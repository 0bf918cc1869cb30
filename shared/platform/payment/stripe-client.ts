import type { Stripe as StripeClient } from 'stripe';
import type { Secret } from '../secrets/index.ts';
import { GatewayRefused, GatewayUnavailable, RefundOutcomeUnknown } from './payment-gateway.ts';
import type { StripeSecrets } from './stripe-secrets.ts';

/** How Stripe is reached. */
export interface StripeConnection {
  secrets: Pick<Secret<StripeSecrets>, 'read'>;
  /** Replaces the network in tests. */
  fetch?: typeof fetch;
}

const timeoutMs = 10_000;

/** Returns what creates the client, again only when the key was rotated. */
export const clientOf = ({ secrets, fetch: given }: StripeConnection): (() => Promise<StripeClient>) => {
  let made: { key: string; client: Promise<StripeClient> } | undefined;
  return async () => {
    const { stripe_secret_key: key } = await secrets.read();
    if (made?.key !== key) made = { key, client: connect(key, given) };
    return made.client;
  };
};

const connect = async (key: string, given: typeof fetch | undefined): Promise<StripeClient> => {
  const { Stripe } = await import('stripe');
  return new Stripe(key, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(given ? { httpClient: Stripe.createFetchHttpClient(given) } : {}),
  });
};

export type StripeCall = <T>(what: string, request: (stripe: StripeClient) => Promise<T>) => Promise<T>;

/** Calls Stripe through its SDK, which is loaded at the first use. */
export const stripeCaller = (client: () => Promise<StripeClient>): StripeCall => {
  return async (what, request) => {
    try {
      return await request(await client());
    } catch (error) {
      throw toGatewayError(what, error);
    }
  };
};

/** Card and request errors are final; after any other error the outcome is unknown. */
const toGatewayError = (what: string, error: unknown): Error => {
  const own = [GatewayRefused, GatewayUnavailable, RefundOutcomeUnknown];
  if (own.some((kind) => error instanceof kind)) return error as Error;
  const { type, message } = error as { type?: string; message?: string };
  const final = type === 'StripeCardError' || type === 'StripeInvalidRequestError';
  return final ? new GatewayRefused(message ?? type, error) : new GatewayUnavailable(`stripe ${what}`, error);
};
