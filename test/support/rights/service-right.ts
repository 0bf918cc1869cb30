import { grantOf } from '../../../infra/cloud/grants.ts';
import { workQueues } from '../../../shared/schedules.ts';
import { missingTableRights } from './table-right.ts';

/** A request to a service of AWS. */
interface AwsRequest {
  /** Its `X-Amz-Target`: `AmazonSQS.SendMessageBatch`; empty where the path says what is asked for. */
  target: string;
  path: string;
  body: string;
}

const tableTarget = 'DynamoDB_20120810.';

const mayFill = (folder: string, body: string): boolean => {
  const { QueueUrl } = JSON.parse(body) as { QueueUrl: string };
  return workQueues.some(
    ({ consumer, producers }) => QueueUrl.endsWith(consumer) && producers.includes(folder),
  );
};

/** Returns what a function may not do of a request; one to something else than a service of AWS needs no right. */
export const missingRights = (folder: string, { target, path, body }: AwsRequest): string[] => {
  const unless = (allowed: boolean, what: string) => (allowed ? [] : [`functions/${folder} may not ${what}`]);
  if (target.startsWith(tableTarget))
    return missingTableRights(folder, target.slice(tableTarget.length), JSON.parse(body) as object);
  if (target.startsWith('AmazonSQS.'))
    return unless(mayFill(folder, body), `${target} ${body.slice(0, 100)}`);
  if (target.startsWith('AWSEvents.')) return unless(folder === 'workers/publisher', target);
  if (path.startsWith('/v2/email/')) return unless(grantOf(folder).mail === true, `send mail`);
  return [];
};
