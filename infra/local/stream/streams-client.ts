import type { DynamoDBRecord } from 'aws-lambda';
import { connectTo } from '../../../shared/platform/aws/connection.ts';
import { environmentCredentials } from '../../../shared/platform/aws/credentials.ts';
import { requestSigner } from '../../../shared/platform/aws/sign.ts';
import { machineClock } from '../../../shared/platform/time/clock.ts';
import { awsConfig } from '../aws-config.ts';

export interface Shard {
  ShardId: string;
  ParentShardId?: string;
}

interface Actions {
  DescribeStream: {
    input: { StreamArn: string; ExclusiveStartShardId?: string };
    output: { StreamDescription: { Shards?: Shard[]; LastEvaluatedShardId?: string } };
  };
  GetShardIterator: {
    input: { StreamArn: string; ShardId: string; ShardIteratorType: string; SequenceNumber?: string };
    output: { ShardIterator?: string };
  };
  GetRecords: {
    input: { ShardIterator: string; Limit: number };
    output: { Records?: DynamoDBRecord[]; NextShardIterator?: string };
  };
}

/** A client of DynamoDB Streams. */
export type StreamsClient = <Name extends keyof Actions>(
  action: Name,
  input: Actions[Name]['input'],
) => Promise<Actions[Name]['output']>;

const dynamoDB = {
  name: 'dynamodb',
  variable: 'AWS_ENDPOINT_URL_DYNAMODB',
  contentType: 'application/x-amz-json-1.0',
};
const limits = { requestTimeout: 10_000, connectionTimeout: 1000 };

/**
 * Returns a client of an endpoint's streams. Records arrive as Lambda gets them; the SDK's client would turn every one into
 * objects, bytes included, to be turned back, which a start with its thousands of records notices.
 */
export const streamsClient = (endpoint: string): StreamsClient => {
  const url = new URL(endpoint);
  const { region, credentials } = awsConfig(endpoint);
  const sign = requestSigner(dynamoDB);
  const post = connectTo(url, limits, 'DynamoDB Streams');
  return async (action, input) => {
    const body = JSON.stringify(input);
    const headers = sign({
      ...{ host: url.host, path: url.pathname, region, body },
      target: `DynamoDBStreams_20120810.${action}`,
      credentials: credentials ?? (await environmentCredentials()),
      now: machineClock.now(),
    });
    const { status, text } = await post({ headers, body });
    if (status !== 200) throw streamsError(status, text);
    return JSON.parse(text) as Actions[typeof action]['output'];
  };
};

const streamsError = (status: number, text: string): Error => {
  const [, name = 'StreamsError'] = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(text) ?? [];
  return Object.assign(new Error(`DynamoDB Streams answered ${status}: ${text.slice(0, 500)}`), { name });
};
