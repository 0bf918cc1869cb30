import * as z from 'zod';

/** The environment variables of every function. The cloud stack and the local service take the names from here. */
export const ServiceEnv = z.object({
  TABLE_NAME: z.string().min(1),
  /** `local` on a laptop; part of every API key. */
  STAGE: z.string().regex(/^[a-z0-9-]{1,32}$/),
});
export type ServiceEnv = z.infer<typeof ServiceEnv>;

/** The environment variables of a function that sends mails. */
export const MailEnv = z.object({
  /** The sender of every mail; it, or its domain, is a verified SES identity. */
  MAIL_SENDER: z.email(),
  /** The configuration set of SES; on a laptop none. */
  MAIL_CONFIGURATION_SET: z.string().min(1).optional(),
});
export type MailEnv = z.infer<typeof MailEnv>;

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isSafeAddress = (address: string | undefined, stage: string): boolean => {
  if (address === undefined) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (stage === 'local' && protocol === 'http:' && loopbackHosts.has(hostname));
};

const Address = z.url({ protocol: /^https?$/ });

/** The issuer whose tokens are accepted (D11). Plain http is for the local identity provider only. */
const TokenEnv = z
  .object({
    STAGE: ServiceEnv.shape.STAGE,
    /** As in the tokens' `iss`, with a trailing slash. */
    ISSUER: Address.endsWith('/'),
    AUDIENCE: z.string().min(1),
    /** The address of the issuer's keys, if not the standard one. */
    JWKS_URI: Address.optional(),
  })
  .refine(({ ISSUER, STAGE }) => isSafeAddress(ISSUER, STAGE), { path: ['ISSUER'], error: 'must be https' })
  .refine(({ JWKS_URI, STAGE }) => isSafeAddress(JWKS_URI, STAGE), {
    path: ['JWKS_URI'],
    error: 'must be https',
  });
type TokenEnv = z.infer<typeof TokenEnv>;

/** The service's client at the identity provider. Its secret is in Secrets Manager, or a variable on a laptop. */
export const IdentityEnv = TokenEnv.safeExtend({
  IDP_CLIENT_ID: z.string().min(1),
  IDENTITY_SECRET_ARN: z.string().min(1).optional(),
  IDP_CLIENT_SECRET: z.string().min(1).optional(),
  /** The database connection that holds the customers. */
  IDP_CONNECTION: z.string().min(1).default('Username-Password-Authentication'),
  /** The audience of the Management API, if not the standard one. */
  IDP_MANAGEMENT_AUDIENCE: z.string().min(1).optional(),
}).refine(
  ({ IDENTITY_SECRET_ARN, IDP_CLIENT_SECRET }) => (IDENTITY_SECRET_ARN ?? IDP_CLIENT_SECRET) !== undefined,
  { path: ['IDENTITY_SECRET_ARN'], error: 'is required, or IDP_CLIENT_SECRET' },
);
export type IdentityEnv = z.infer<typeof IdentityEnv>;

const paymentBase = { STAGE: ServiceEnv.shape.STAGE };

/** The payment gateway and its settings (D47); its secrets are in Secrets Manager. */
export const PaymentEnv = z.discriminatedUnion('PAYMENT_GATEWAY', [
  z.object({ ...paymentBase, PAYMENT_GATEWAY: z.literal('none') }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('sandbox'),
    // No deployed stage may use the sandbox.
    STAGE: z.enum(['local', 'test']),
    PAYMENT_SANDBOX_URL: z.url(),
    PAYMENT_SANDBOX_SECRET: z.string().min(1),
  }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('stripe'),
    PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
    PAYMENT_SECRET_ARN: z.string().min(1),
  }),
  z.object({
    ...paymentBase,
    PAYMENT_GATEWAY: z.literal('vnpay'),
    PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
    VNPAY_TMN_CODE: z.string().min(1),
    PAYMENT_SECRET_ARN: z.string().min(1),
    VNPAY_PAY_URL: z.url({ protocol: /^https$/ }),
    VNPAY_API_URL: z.url({ protocol: /^https$/ }),
  }),
]);
export type PaymentEnv = z.infer<typeof PaymentEnv>;

/** Parses the environment. Throws an error that names every invalid variable and never a value, which may be a secret. */
export const readEnv = <Env extends z.ZodType>(
  schema: Env,
  environment: Record<string, string | undefined> = process.env,
): z.output<Env> => {
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not as it must be. ${wrong.join('; ')}`);
};

/** Whether the service runs on a laptop, where local addresses may be called. */
export const isLocal = (): boolean => readEnv(ServiceEnv).STAGE === 'local';
