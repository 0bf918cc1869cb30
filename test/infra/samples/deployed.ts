import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Cloud } from '../cloud/synthesized.ts';

interface FunctionProperties {
  FunctionName: string;
  Code: { S3Key: string };
  Environment: { Variables: Record<string, unknown> };
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** What CloudFormation would fill in. */
const filledIn: Record<string, string> = {
  API_URL: 'https://api.example.com/dev/',
  DATA_KEY_IDS: 'arn:aws:kms:ap-southeast-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef',
  EVENT_BUS_NAME: 'nightlatch-dev',
  WEBHOOK_DELIVERY_QUEUE_URL: 'http://127.0.0.1/123456789012/nightlatch-dev-webhook-delivery',
  WEBHOOK_RETRY_QUEUE_URL: 'http://127.0.0.1/123456789012/nightlatch-dev-webhook-retry',
  CALENDAR_SYNC_QUEUE_URL: 'http://127.0.0.1/123456789012/nightlatch-dev-calendar-sync',
};

/** The handler of a function as it would be deployed: its asset, with the environment of the template. */
export const deployedHandler = (cloud: Cloud, name: string, given: Record<string, string>): Handler => {
  const found = cloud
    .all<FunctionProperties>('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === `nightlatch-dev-${name}`);
  if (!found) throw new Error(`The stacks have no function ${name}.`);
  const { Code, Environment } = found.properties;
  const variables = Object.entries(Environment.Variables).map(([variable, value]) => [
    variable,
    typeof value === 'string' ? value : filledIn[variable],
  ]);
  const asset = join(cloud.app.outdir, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.js');
  return async (event, context) => {
    const before = { ...process.env };
    Object.assign(process.env, Object.fromEntries(variables) as object, given);
    try {
      const { handler } = createRequire(import.meta.url)(asset) as { handler: Handler };
      return await handler(event, context);
    } finally {
      process.env = before;
    }
  };
};
