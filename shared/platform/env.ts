import * as z from 'zod';

/** What every function is told by its environment. The cloud stack and the laptop take the names from here. */
export const ServiceEnv = z.object({
  TABLE_NAME: z.string().min(1),
  /** `local` on a laptop; part of every API key. */
  STAGE: z.string().regex(/^[a-z0-9-]{1,32}$/),
});
export type ServiceEnv = z.infer<typeof ServiceEnv>;

/** What a function that writes mails is told besides. */
export const MailEnv = z.object({
  /** The address all mail comes from; it, or its domain, is a verified identity of SES. */
  MAIL_SENDER: z.email(),
});
export type MailEnv = z.infer<typeof MailEnv>;

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isSafeAddress = (address: string | undefined, stage: string): boolean => {
  if (address === undefined) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (stage === 'local' && protocol === 'http:' && loopbackHosts.has(hostname));
};

const Address = z.url({ protocol: /^https?$/ });

/** Whose tokens are accepted (D11). Plain http is for the laptop's own identity provider. */
export const TokenEnv = z
  .object({
    STAGE: ServiceEnv.shape.STAGE,
    /** As in the tokens' `iss`: with its trailing slash. */
    ISSUER: Address.endsWith('/'),
    AUDIENCE: z.string().min(1),
    /** Where the issuer's keys are, when not at the usual place. */
    JWKS_URI: Address.optional(),
  })
  .refine(({ ISSUER, STAGE }) => isSafeAddress(ISSUER, STAGE), { path: ['ISSUER'], error: 'must be https' })
  .refine(({ JWKS_URI, STAGE }) => isSafeAddress(JWKS_URI, STAGE), {
    path: ['JWKS_URI'],
    error: 'must be https',
  });
export type TokenEnv = z.infer<typeof TokenEnv>;

/** The service's own client at the identity provider; the cloud stack fills the secret in from Secrets Manager. */
export const IdentityEnv = TokenEnv.safeExtend({
  IDP_CLIENT_ID: z.string().min(1),
  IDP_CLIENT_SECRET: z.string().min(1),
  /** The database connection that holds the customers. */
  IDP_CONNECTION: z.string().min(1).default('Username-Password-Authentication'),
  /** The audience of the Management API, when not at the usual place. */
  IDP_MANAGEMENT_AUDIENCE: z.string().min(1).optional(),
});
export type IdentityEnv = z.infer<typeof IdentityEnv>;

const paymentBase = { STAGE: ServiceEnv.shape.STAGE };

/** Which payment gateway is used, and what it needs (D47); the cloud stack fills secrets in from Secrets Manager. */
export const PaymentEnv = z.discriminatedUnion('PAYMENT_GATEWAY', [
  z.object({ ...paymentBase, PAYMENT_GATEWAY: z.literal('none') }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('sandbox'),
    // Its payments are not real: nothing that is deployed may take them.
    STAGE: z.enum(['local', 'test']),
    PAYMENT_SANDBOX_URL: z.url(),
    PAYMENT_SANDBOX_SECRET: z.string().min(1),
  }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('stripe'),
    PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
    STRIPE_SECRET_KEY: z.string().min(1),
    STRIPE_WEBHOOK_SECRET: z.string().min(1),
  }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('vnpay'),
    PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
    VNPAY_TMN_CODE: z.string().min(1),
    VNPAY_HASH_SECRET: z.string().min(1),
    VNPAY_PAY_URL: z.url({ protocol: /^https$/ }),
    VNPAY_API_URL: z.url({ protocol: /^https$/ }),
  }),
]);
export type PaymentEnv = z.infer<typeof PaymentEnv>;

/** Reads the environment, or says every name that is wrong: never a value, which may be a secret. */
export const readEnv = <Env extends z.ZodType>(
  schema: Env,
  environment: Record<string, string | undefined> = process.env,
): z.output<Env> => {
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not as it must be. ${wrong.join('; ')}`);
};
