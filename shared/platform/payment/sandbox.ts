import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { headerOf } from '../http/header.ts';
import { once } from '../once.ts';
import {
  BadSignature,
  GatewayUnavailable,
  type Outcome,
  type PaymentGateway,
  type PaymentNotification,
  type FinalOutcome,
} from './payment-gateway.ts';
import { postJson } from './post-json.ts';

const SandboxOutcome = once(() =>
  z.discriminatedUnion('state', [
    z.object({
      state: z.literal('paid'),
      transaction_id: z.string(),
      amount: z.number(),
      currency: z.string(),
    }),
    z.object({ state: z.literal('authorised') }),
    z.object({
      state: z.literal('unpaid'),
      final: z.boolean(),
      closed: z.literal(true).exactOptional(),
      reason: z.string(),
    }),
  ]),
);
const Notification = once(() =>
  z.object({ payment_id: z.int(), reference: z.string(), outcome: SandboxOutcome() }),
);
const Charge = once(() => z.object({ reference: z.string() }));
const Session = once(() => Charge().extend({ url: z.string() }));

/** The header of a notification's signature. */
export const sandboxSignatureHeader = 'X-Sandbox-Signature';

export const signSandbox = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

interface SandboxSettings {
  secret: string;
  /** Calls the sandbox; throws if it does not answer. */
  ask: (path: string, body: object) => Promise<unknown>;
}

/**
 * Returns the local sandbox gateway (D47, D71): docs/partners.md lists its tokens; its page has Pay and Decline.
 */
export const createSandbox = ({ secret, ask }: SandboxSettings): PaymentGateway => {
  const asked = async <T>(schema: z.ZodType<T>, path: string, body: object): Promise<T> => {
    try {
      return schema.parse(await ask(path, body));
    } catch (error) {
      throw new GatewayUnavailable(`sandbox ${path}`, error);
    }
  };
  const outcome = (path: string, body: object): Promise<Outcome> => asked(SandboxOutcome(), path, body);
  const settled = async (path: string, body: object): Promise<FinalOutcome> => {
    const answer = await outcome(path, body);
    if (answer.state === 'authorised') throw new GatewayUnavailable(`sandbox ${path}: still authorised`);
    return answer;
  };
  return {
    provider: 'sandbox',
    notifiesBy: 'POST',
    refusal: () => undefined,
    openSession: (due) => asked(Session(), '/sessions', due),
    openCharge: (due) => asked(Charge(), '/charges', due),
    charge: (opened, token) => outcome('/charge', { ...opened, token }),
    find: (opened) => outcome('/find', opened),
    capture: (opened) => settled('/capture', opened),
    close: (opened) => settled('/close', opened),
    refund: async (due) => {
      await asked(z.object({ refunded: z.literal(true) }), '/refunds', due);
    },
    readNotification: async (request): Promise<PaymentNotification> => {
      requireSigned(secret, request.body, headerOf(request, sandboxSignatureHeader));
      return Notification().parse(JSON.parse(request.body));
    },
  };
};

const requireSigned = (secret: string, body: string, signature: string | undefined): void => {
  const expected = Buffer.from(signSandbox(secret, body));
  const given = Buffer.from(signature ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new BadSignature();
};

/** Returns a client of a sandbox over HTTP. */
export const sandboxAt =
  (url: string): SandboxSettings['ask'] =>
  (path, body) =>
    postJson(`${url}${path}`, body);
