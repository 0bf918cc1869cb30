import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { allowedOrigins } from '../../shared/platform/http/cors.ts';
import { unknownField, validationMessage } from '../../shared/platform/http/validation-messages.ts';
import { SettingsEnv } from '../../shared/platform/settings.ts';

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
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

const dnsName = (example: string) =>
  z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, `must be a name such as ${example}`);

const certificateArn = (region: string) =>
  arn(
    'acm',
    'certificate/[0-9a-f-]{36}',
    `arn:aws:acm:${region}:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef`,
  );

const Payment = z.discriminatedUnion(
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

const Identity = object({
  issuer: url('https://example.eu.auth0.com/')
    .regex(/\/$/, 'must end with a slash')
    .describe('The issuer of the access tokens, with its trailing slash.'),
  audience: name.describe('The audience of the access tokens: this API.'),
  client_id: name.describe("The service's own client at the identity provider."),
  connection: name
    .default('Username-Password-Authentication')
    .describe('The database connection that holds the customers.'),
  secret_arn: secretArn('`{"client_secret": "…"}`.'),
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

const Domain = object({
  name: dnsName('api.example.com').describe('The name of the API: `https://<name>/api/v1/…`.'),
  certificate_arn: certificateArn('ap-southeast-1').describe(
    'Its certificate of Certificate Manager, in the region of the stage.',
  ),
  hosted_zone_id: z
    .string()
    .regex(/^Z[A-Z0-9]{6,31}$/, 'must be the id of a hosted zone such as Z0123456789ABCDEFGHIJ')
    .optional()
    .describe('The zone of Route 53 for its records; without it they are made elsewhere.'),
  cloudfront: CloudFront.optional().describe(
    'CloudFront before the gateway, which then has the name `origin_name`.',
  ),
});

const Canary = object({
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

const Settings = object(
  Object.fromEntries(
    Object.entries(SettingsEnv.shape).map(([variable, schema]) => [
      variable,
      setting(schema, `${schema.description ?? ''} (${String(schema.meta()?.['values'])})`),
    ]),
  ),
);

/** The days for which CloudWatch keeps a log group. */
const logDays = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const whole = (least: number, most: number, description: string) =>
  z.int().min(least).max(most).describe(description);

/** Where CloudFront has its certificates and firewalls. */
export const edgeRegion = 'us-east-1';

const isOrigin = (text: string): boolean => {
  try {
    return allowedOrigins({ CORS_ORIGINS: text }).listed.length === 1;
  } catch {
    return false;
  }
};

/** Everything in which one deployment differs from another: the file `stages/<name>.json`. */
export const StageFile = object({
  $schema: z.string().optional(),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as ap-southeast-1')
    .describe('The AWS region.'),
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')
    .optional()
    .describe('The AWS account; a deployment to another one is refused.'),
  disposable: z
    .boolean()
    .default(false)
    .describe('Whether the stacks may be destroyed with their data. Without it the data is kept.'),
  identity: Identity.describe('The identity provider.'),
  payment: Payment.default({ gateway: 'none' }).describe('How guests pay online.'),
  mail_sender: z
    .email()
    .describe('The sender of all mail; the address or its domain is a verified identity of SES.'),
  alarm_email: z
    .email()
    .optional()
    .describe('Receives the alarms and the budget. AWS asks it once for a confirmation.'),
  budget_usd: z
    .number()
    .positive()
    .optional()
    .describe(
      'What the AWS account may cost in a month: `alarm_email` gets a mail at 80 percent, and when a forecast exceeds it.',
    ),
  canary: Canary.optional().describe(
    'Books and cancels a night like a partner every 5 minutes, with an alarm. Without it there is none.',
  ),
  dashboard: z.boolean().default(false).describe('A dashboard in CloudWatch, billed monthly.'),
  domain: Domain.optional().describe("The API's own name; without it the gateway's."),
  cors_origins: z
    .array(z.string().refine(isOrigin, 'must be an origin such as https://app.example.com'))
    .default([])
    .describe('The origins of browser apps that may call the customer and public routes.'),
  waf: z
    .boolean()
    .optional()
    .describe(
      'A web application firewall before the API, billed by the month and by request. Default: only a stage that keeps its data has one.',
    ),
  requests: object({
    per_second: whole(1, 10_000, 'Requests a second of all callers together.').default(1000),
    burst: whole(1, 10_000, 'Requests at once of all callers together.').default(2000),
  }).prefault({}),
  concurrency: object({
    authorizer: whole(1, 1000, 'Function instances that are reserved for the authorizer.')
      .optional()
      .describe(
        'Function instances that are reserved for the authorizer, so that a busy operation cannot block every caller; without it none are.',
      ),
    workers: whole(2, 1000, "The most instances of a queue's worker.").default(20),
  }).prefault({}),
  release: object({
    pace: z
      .enum(['gradual', 'at_once'])
      .optional()
      .describe(
        'gradual: a new version of an API function gets a tenth of the requests for 10 minutes, then all, and an alarm in that time brings the version before back. Default: gradual for a stage that keeps its data, at_once for a disposable one.',
      ),
    repository: z
      .string()
      .regex(/^[\w.-]+\/[\w.-]+$/, 'must be such as example/nightlatch')
      .optional()
      .describe('The repository at GitHub whose workflow may deploy this stage.'),
    has_provider: z
      .boolean()
      .default(false)
      .describe('Whether the AWS account has the identity provider of GitHub Actions from elsewhere.'),
  }).prefault({}),
  table: object({
    generation: whole(
      1,
      9999,
      'Which table the stage has: 1 is made by its stack, a later one by `operator restore start`.',
    ).default(1),
    stream_arn: z
      .string()
      .regex(
        /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[a-z0-9-]+\/stream\/\S+$/,
        'must be the ARN of the stream that `operator restore start` has printed',
      )
      .optional()
      .describe('The stream of a restored table, as `operator restore start` prints it.'),
    reads_per_second: whole(
      1,
      1_000_000,
      'The most read units a second of the table, and of each index.',
    ).optional(),
    writes_per_second: whole(1, 1_000_000, 'The most write units a second of the table.').optional(),
  }).prefault({}),
  logs: object({
    level: z.enum(['DEBUG', 'INFO', 'WARN']).default('INFO'),
    days: z.literal(logDays).default(RetentionDays.THREE_MONTHS).describe('How long logs are kept.'),
  }).prefault({}),
  settings: Settings.prefault({}).describe('Settings of the service that differ from their defaults.'),
}).superRefine((file, context) => {
  const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (file.budget_usd !== undefined && file.alarm_email === undefined)
    wrong(['alarm_email'], 'is required: the budget writes to it');
  const isOfStage = (
    path: string[],
    given: string | undefined,
    [region, whose] = [file.region, 'the stage'],
  ) => {
    const [, , , itsRegion, itsAccount] = given?.split(':') ?? [];
    if (given !== undefined && itsRegion !== region)
      wrong(path, `must be in ${region}, the region of ${whose}`);
    if (given !== undefined && file.account !== undefined && itsAccount !== file.account)
      wrong(path, `must be of ${file.account}, the account of the stage`);
  };
  const { cloudfront } = file.domain ?? {};
  isOfStage(['domain', 'cloudfront', 'certificate_arn'], cloudfront?.certificate_arn, [
    edgeRegion,
    'CloudFront',
  ]);
  if (cloudfront && cloudfront.origin_name === file.domain?.name)
    wrong(
      ['domain', 'cloudfront', 'origin_name'],
      'must be another name than domain.name: CloudFront calls it',
    );
  isOfStage(['domain', 'cloudfront', 'secret_arn'], cloudfront?.secret_arn);
  isOfStage(['identity', 'secret_arn'], file.identity.secret_arn);
  if (file.payment.gateway !== 'none') isOfStage(['payment', 'secret_arn'], file.payment.secret_arn);
  isOfStage(['canary', 'secret_arn'], file.canary?.secret_arn);
  isOfStage(['domain', 'certificate_arn'], file.domain?.certificate_arn);
  const { generation, stream_arn } = file.table;
  isOfStage(['table', 'stream_arn'], stream_arn);
  if (generation > 1 && file.disposable)
    wrong(['table', 'generation'], 'must be 1: the first table of a disposable stage goes with its stack');
  if (generation > 1 && stream_arn === undefined)
    wrong(['table', 'stream_arn'], 'is required: `operator restore start` prints it with the generation');
  if (generation === 1 && stream_arn !== undefined)
    wrong(['table', 'stream_arn'], 'is for a restored table, of generation 2 or later');
});
export type StageFile = z.infer<typeof StageFile>;

/** Returns a stage file. Throws an error that names the file, and every wrong field with what to write. */
export const readStageFile = (path: string, text: string): StageFile => {
  const parsed = StageFile.safeParse(jsonOf(path, text));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => {
    const field = issue.path.join('.');
    return field === '' ? validationMessage(issue) : `${field}: ${validationMessage(issue)}`;
  });
  throw new Error(`${path} is not a stage.\n${wrong.map((line) => `  ${line}`).join('\n')}`);
};

const jsonOf = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
};

/** Returns the JSON Schema of the stage files, with which editors complete and check them. */
export const stageSchema = (): object =>
  z.toJSONSchema(StageFile, { io: 'input', target: 'draft-7', unrepresentable: 'any' });
