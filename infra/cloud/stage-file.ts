import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { validationMessage } from '../../shared/platform/http/validation-messages.ts';
import {
  Board,
  Canary,
  dataKeyArn,
  Domain,
  Identity,
  isOrigin,
  logDays,
  object,
  Payment,
  Settings,
  whole,
} from './stage-fields.ts';

/** Where CloudFront has its certificates and firewalls. */
export const edgeRegion = 'us-east-1';

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
  board: Board.optional().describe(
    'The board for hosts, by CloudFront; its origin may call the API without being one of `cors_origins`. Without it there is none.',
  ),
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
        'Function instances that are reserved for the authorizer, so that a busy operation cannot block every caller; refused tokens and keys can use no more than these. Without it none are.',
      ),
    payments: whole(1, 1000, 'Function instances that are reserved for the reports of payments.')
      .optional()
      .describe(
        'Function instances that are reserved for the reports of payments, so that a flood of other requests cannot keep them out; without it none are.',
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
  data_key: object({
    number: whole(
      1,
      255,
      'How many keys of KMS encrypt, or have encrypted, door codes and secrets: the last one encrypts. One more is another key; what earlier ones have encrypted stays readable.',
    ).default(1),
    arns: z
      .array(dataKeyArn)
      .default([])
      .describe(
        'Those of them that exist already, such as the keys of an earlier stack; the stack makes the others.',
      ),
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
  const ofCloudFront: [string, string] = [edgeRegion, 'CloudFront'];
  isOfStage(['domain', 'cloudfront', 'certificate_arn'], cloudfront?.certificate_arn, ofCloudFront);
  if (cloudfront && cloudfront.origin_name === file.domain?.name)
    wrong(
      ['domain', 'cloudfront', 'origin_name'],
      'must be another name than domain.name: CloudFront calls it',
    );
  isOfStage(['board', 'certificate_arn'], file.board?.certificate_arn, ofCloudFront);
  if (file.board && [file.domain?.name, cloudfront?.origin_name].includes(file.board.name))
    wrong(['board', 'name'], 'must be another name than those of the API');
  if (file.board && file.identity.pages_client_id === undefined)
    wrong(['identity', 'pages_client_id'], 'is required: the board signs hosts in with it');
  isOfStage(['domain', 'cloudfront', 'secret_arn'], cloudfront?.secret_arn);
  isOfStage(['identity', 'secret_arn'], file.identity.secret_arn);
  if (file.payment.gateway !== 'none') isOfStage(['payment', 'secret_arn'], file.payment.secret_arn);
  isOfStage(['canary', 'secret_arn'], file.canary?.secret_arn);
  isOfStage(['domain', 'certificate_arn'], file.domain?.certificate_arn);
  const { generation, stream_arn } = file.table;
  isOfStage(['table', 'stream_arn'], stream_arn);
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
