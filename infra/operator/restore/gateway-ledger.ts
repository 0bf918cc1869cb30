import type { Stripe as StripeClient } from 'stripe';
import * as z from 'zod';
import type { Payment } from '../../../shared/domain/payment/model.ts';
import { money, toNumber } from '../../../shared/platform/money.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { PaymentEnv } from '../../../shared/platform/payment/env.ts';
import { gatewayFrom } from '../../../shared/platform/payment/gateway-from.ts';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import { sandboxAt } from '../../../shared/platform/payment/sandbox.ts';
import { hasRefundFailed, paymentIdIn, unitsOf } from '../../../shared/platform/payment/stripe-outcome.ts';
import { StripeSecrets } from '../../../shared/platform/payment/stripe-secrets.ts';
import { secretReader } from '../../../shared/platform/secrets/index.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';

/** Money that moved at the gateway. */
export interface Movement {
  kind: 'charge' | 'refund';
  payment_id: number;
  /** The gateway's id of the charge. */
  transaction_id: string;
  /** The service's id of a refund; null: the gateway does not say, or it was made in its console. */
  refund_id: string | null;
  amount: number;
  currency: string;
  /** UTC; null: the gateway does not say. */
  at: string | null;
}

/** What a payment gateway says of the money that has moved. */
export interface GatewayLedger {
  provider: string;
  /**
   * Whether it lists its payments. One that does not can be asked about payments whose references are known, and knows no
   * refunds by their own.
   */
  lists: boolean;
  /** Returns what has moved since an instant (epoch milliseconds). `known` are payments to ask about where there is no list. */
  movementsSince(from: number, known: readonly Payment[], now: number): Promise<Movement[]>;
}

type Variables = Record<string, string | undefined>;

/** Returns the ledger of the gateway that the variables of a function name. */
export const ledgerFrom = (variables: Variables): GatewayLedger => {
  const env = readEnv(PaymentEnv(), variables);
  switch (env.PAYMENT_GATEWAY) {
    case 'none':
      return { provider: 'none', lists: true, movementsSince: () => Promise.resolve([]) };
    case 'sandbox':
      return sandboxLedger(sandboxAt(env.PAYMENT_SANDBOX_URL));
    case 'stripe': {
      const read = secretReader(env.PAYMENT_SECRET_ARN, StripeSecrets());
      return stripeLedger(env.STAGE, async () => {
        const { Stripe } = await import('stripe');
        return new Stripe((await read()).stripe_secret_key, { telemetry: false });
      });
    }
    case 'vnpay':
      return askingLedger(gatewayFrom(variables));
  }
};

const Movements = z.array(
  z.object({
    kind: z.enum(['charge', 'refund']),
    payment_id: z.int(),
    transaction_id: z.string(),
    refund_id: z.string().nullable(),
    amount: z.number(),
    currency: z.string(),
    at: z.string().nullable(),
  }),
);

/** The ledger of the sandbox gateway. */
export const sandboxLedger = (ask: (path: string, body: object) => Promise<unknown>): GatewayLedger => ({
  provider: 'sandbox',
  lists: true,
  movementsSince: async (from) => Movements.parse(await ask('/movements', { from })),
});

/** A charge is as old as its authorisation, which may be captured for a week. */
const longestAuthorisationMs = 8 * dayMs;

/** Stripe's list of the charges and refunds of a stage. */
export const stripeLedger = (stage: string, client: () => Promise<StripeClient>): GatewayLedger => ({
  provider: 'stripe',
  lists: true,
  movementsSince: async (from) => {
    const stripe = await client();
    const since = (ms: number) => ({ created: { gte: Math.floor(ms / 1000) }, limit: 100 });
    const found: Movement[] = [];
    for await (const charge of stripe.charges.list(since(from - longestAuthorisationMs))) {
      const payment_id = paymentIdIn(charge.metadata, stage);
      if (payment_id === undefined || charge.status !== 'succeeded' || !charge.captured) continue;
      const { payment_intent: intent, amount_captured: units, currency, created } = charge;
      found.push(movement('charge', { payment_id, intent, units, currency, created, refund_id: null }));
    }
    for await (const refund of stripe.refunds.list({
      ...since(from),
      expand: ['data.payment_intent'],
    })) {
      const { payment_intent: intent, amount: units, currency, created, metadata } = refund;
      const payment_id =
        paymentIdIn(metadata, stage) ??
        (typeof intent === 'object' ? paymentIdIn(intent?.metadata, stage) : undefined);
      if (payment_id === undefined || hasRefundFailed(refund)) continue;
      const refund_id = metadata?.['refund_id'] ?? null;
      found.push(movement('refund', { payment_id, intent, units, currency, created, refund_id }));
    }
    return found;
  },
});

interface StripeMoney {
  payment_id: number;
  intent: string | { id: string } | null;
  units: number;
  currency: string;
  created: number;
  refund_id: string | null;
}

const movement = (
  kind: Movement['kind'],
  { payment_id, intent, units, currency, created, refund_id }: StripeMoney,
): Movement => ({
  kind,
  payment_id,
  transaction_id: typeof intent === 'string' ? intent : (intent?.id ?? ''),
  refund_id,
  amount: toNumber(money(units).div(unitsOf({ amount: 1, currency: currency.toUpperCase() }))),
  currency: currency.toUpperCase(),
  at: new Date(created * 1000).toISOString(),
});

/** VNPay has no list: `querydr` answers for one reference. */
export const askingLedger = (gateway: Pick<PaymentGateway, 'provider' | 'find'>): GatewayLedger => ({
  provider: gateway.provider,
  lists: false,
  movementsSince: async (_, known, now) => {
    const found: Movement[] = [];
    for (const payment of known) {
      const outcome = await gateway.find({ ...payment, now });
      if (outcome.state !== 'paid') continue;
      const { transaction_id, amount, currency } = outcome;
      const { payment_id } = payment;
      found.push({ kind: 'charge', payment_id, transaction_id, refund_id: null, amount, currency, at: null });
    }
    return found;
  },
});
