import { header, type Reply } from '../aws/reply-reader.ts';
import { DynamoDBError, type Metadata } from './errors.ts';
import { readOutput } from './read-json.ts';

/** An output with what is known of its request. */
export interface AnyOutput {
  $metadata: Metadata;
}

/** Returns the output of a reply; throws its error. */
export const outputOf = (reply: Reply): AnyOutput => {
  const $metadata = { httpStatusCode: reply.status, requestId: header(reply, 'x-amzn-requestid') };
  if (reply.status >= 300) throw errorOf(reply, $metadata);
  return { ...readOutput(JSON.parse(reply.text || '{}') as Record<string, unknown>), $metadata };
};

/** Names may have a namespace before `#` and an address after `:`. */
const plainName = (name: string): string => name.replace(/[,:].*$/, '').replace(/^[^#]*#/, '');

const errorOf = (reply: Reply, metadata: Metadata): DynamoDBError => {
  const body = errorBody(reply.text);
  const name = [body['__type'], body['code'], header(reply, 'x-amzn-errortype')].find(
    (text) => typeof text === 'string',
  );
  const message = body['message'] ?? body['Message'];
  const { Item, CancellationReasons } = body;
  return Object.assign(
    new DynamoDBError(
      plainName(name ?? 'Unknown'),
      typeof message === 'string' ? message : 'UnknownError',
      metadata,
      retryAfterMs(reply),
    ),
    Item == null ? {} : { Item },
    CancellationReasons == null ? {} : { CancellationReasons },
  );
};

/** What is no JSON comes from something in between; its status decides what it means. */
const errorBody = (text: string): Record<string, unknown> => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const retryAfterMs = (reply: Reply): number | undefined => {
  const [milliseconds, seconds] = [header(reply, 'x-amz-retry-after'), header(reply, 'retry-after')];
  const wait = milliseconds === undefined ? Number(seconds) * 1000 : Number(milliseconds);
  return Number.isFinite(wait) ? wait : undefined;
};
