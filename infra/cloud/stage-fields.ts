import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { allowedOrigins } from '../../shared/platform/http/cors.ts';
import { unknownField } from '../../shared/platform/http/validation-messages.ts';
import { SettingsEnv } from '../../shared/platform/settings.ts';

/** An object that names the fields it has when it is given another. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => unknownField(name, Object.keys(shape))).join(' ')
        : undefined,
  });

const url = (example: string) => z.url({ protocol: /^https$/, error: `must be such as ${example}` });

const name = z.string().regex(/^\S+$/, 'must be text without blanks');

const arn = (service: string, resource: string, example: string) =>
  z
    .string()
    .regex(
      new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`),
      `must be a whole ARN such as ${example}`,
    );

const secretArn = (holding: string) =>
  arn(
    'secretsmanager',
    'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}',
    'arn:aws:secretsmanager:ap-southeast-1:111122223333:secret:nightlatch/staging/identity-AbCdEf',
  ).describe(`The secret of Secrets Manager, with its six random characters: ${holding}`);

export const dataKeyArn = arn(
  'kms',
  'key/[0-9a-z-]{36}',
  'arn:aws:kms:ap-southeast-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef',
);

const dnsName = (example: string) =>
  z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, `must be a name such as ${example}`);

const certificateArn = (region: string) =>
  arn(
    'acm',
    'certificate/[0-9a-f-]{36}',
    `arn:aws:acm:${region}:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef`,
  );

/** How guests pay online. */
export const Payment = z.discriminatedUnion(
  'gateway',
  [
    object({ gateway: z.literal('none') }),
    object({
      gateway: z.literal('stripe'),
      return_url: url('https://stay.example.com/paid').describe('Where the browser goes after paying.'),
      secret_arn: secretArn('`{"stripe_secret_key": "sk_…", "stripe_webhook_secrets": ["whsec_…"]}`.'),
    }),
    object({
      gateway: z.literal('vnpay'),
      return_url: url('https://stay.example.com/paid').describe('Where the browser goes after paying.'),
      tmn_code: name.describe('The terminal of the merchant at VNPay.'),
      pay_url: url('https://sandbox.vnpayment.vn/paymentv2/vpcpay.html').describe("VNPay's page."),
      api_url: url('https://sandbox.vnpayment.vn/merchant_webapi/api/transaction').describe(
        "VNPay's querydr and refund.",
      ),
      secret_arn: secretArn('`{"vnpay_hash_secret": "…"}`.'),
    }),
  ],
  { error: 'must have a `gateway`: none, stripe or vnpay' },
);

/** The identity provider, and the client of the service at it. */
export const Identity = object({
  issuer: url('https://example.eu.auth0.com/')
    .regex(/\/$/, 'must end with a slash')
    .describe('The issuer of the access tokens, with its trailing slash.'),
  audience: name.describe('The audience of the access tokens: this API.'),
  client_id: name.describe("The service's own client at the identity provider."),
  host_client_ids: z
    .array(name.regex(/^[^,]+$/, 'must not contain a comma'))
    .min(1)
    .describe(
      'The client ids of the applications for hosts: only their tokens open host routes. `client_id`, with which partners log customers in, is none of them.',
    ),
  host_mfa: z
    .enum(['off', 'required'])
    .optional()
    .describe(
      'Whether hosts sign in with a second factor. Default: required for a stage that keeps its data, off for a disposable one.',
    ),
  pages_client_id: name
    .optional()
    .describe("The public client (PKCE) of the service's own pages; one of `host_client_ids`."),
  guest_client_id: name
    .optional()
    .describe(
      'The public client (PKCE) with which guests sign in on pages of teams; none of `host_client_ids`, so that its tokens have the rights of a guest alone.',
    ),
  connection: name
    .default('Username-Password-Authentication')
    .describe('The database connection that holds the customers.'),
  secret_arn: secretArn('`{"client_secret": "…"}`.'),
}).superRefine(({ client_id, host_client_ids, pages_client_id, guest_client_id }, context) => {
  const wrong = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (host_client_ids.includes(client_id))
    wrong('host_client_ids', 'must not contain client_id: partners log customers in with it');
  if (pages_client_id !== undefined && !host_client_ids.includes(pages_client_id))
    wrong('pages_client_id', 'must be one of host_client_ids');
  if (guest_client_id !== undefined && host_client_ids.includes(guest_client_id))
    wrong('guest_client_id', 'must not be one of host_client_ids: guests sign in with it');
});

const CloudFront = object({
  origin_name: dnsName('origin.api.example.com').describe(
    'The name of the gateway, which CloudFront calls; `domain.certificate_arn` is for it.',
  ),
  certificate_arn: certificateArn('us-east-1').describe(
    'The certificate of `domain.name`, in us-east-1, where CloudFront has its certificates.',
  ),
  secret_arn: secretArn(
    '`{"current": "…", "previous": "…"}`, with a replica in us-east-1: what CloudFront sends to the gateway, and what it sent before.',
  ),
  secret_version: z
    .uuid('must be the id of a version of the secret')
    .describe('The version of the secret that a deployment takes.'),
});

const hostedZoneId = z
  .string()
  .regex(/^Z[A-Z0-9]{6,31}$/, 'must be the id of a hosted zone such as Z0123456789ABCDEFGHIJ')
  .optional()
  .describe('The zone of Route 53 for its records; without it they are made elsewhere.');

/** Names of the API. */
export const Domain = object({
  name: dnsName('api.example.com').describe('The name of the API: `https://<name>/api/v1/…`.'),
  certificate_arn: certificateArn('ap-southeast-1').describe(
    'Its certificate of Certificate Manager, in the region of the stage.',
  ),
  hosted_zone_id: hostedZoneId,
  cloudfront: CloudFront.optional().describe(
    'CloudFront before the gateway, which then has the name `origin_name`.',
  ),
});

/** Where browsers get the board. */
export const Board = object({
  name: dnsName('board.example.com').describe('The name of the board: `https://<name>/`.'),
  certificate_arn: certificateArn('us-east-1').describe(
    'Its certificate, in us-east-1, where CloudFront has its certificates.',
  ),
  hosted_zone_id: hostedZoneId,
});

/** What the canary books. */
export const Canary = object({
  listing_id: z
    .int()
    .positive()
    .describe('The listing that is booked, which `operator canary set-up` has made.'),
  secret_arn: secretArn('`{"api_key": "…"}`.'),
});

/** A setting of the service is written as its variable; numbers need no quotes. */
const setting = (schema: z.ZodType, description = '') =>
  z
    .union([z.number(), z.string()], 'must be a number or text')
    .transform(String)
    .superRefine((text, context) => {
      for (const { message } of schema.safeParse(text).error?.issues ?? []) context.addIssue(message);
    })
    .optional()
    .describe(description);

/** Settings of the service. */
export const Settings = object(
  Object.fromEntries(
    Object.entries(SettingsEnv.shape).map(([variable, schema]) => [
      variable,
      setting(schema, `${schema.description ?? ''} (${String(schema.meta()?.['values'])})`),
    ]),
  ),
);

/** The days for which CloudWatch keeps a log group. */
export const logDays = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** A whole number between two others, both included. */
export const whole = (least: number, most: number, description: string) =>
  z.int().min(least).max(most).describe(description);

/** Whether a text is the origin of a browser app. */
export const isOrigin = (text: string): boolean => {
  try {
    return allowedOrigins({ CORS_ORIGINS: text }).listed.length === 1;
  } catch {
    return false;
  }
};
