import * as z from 'zod';
import { defineEntity, binary, defineRecord, type RecordOf } from '../table/index.ts';

/** The stored response to a request with an Idempotency-Key, kept 24 hours (D6). */
const IdempotencyRecord = defineRecord(() => ({
  /** The caller's reference and the key. */
  scope: z.string(),
  /** SHA-256 of method, path and body; keyed where the body holds a door code (D140). */
  fingerprint: z.string(),
  /** The request that was answered; it distinguishes an SDK retry from a second request. */
  request_id: z.string(),
  /** 0 while the request has been started but not answered. */
  status: z.int(),
  /** The id of the order or bulk change that a request of several steps has started. It keeps its name: a retry must find it also during a deployment. */
  begun: z.int().exactOptional(),
  /** The body as it was sent; empty if it is compressed or encrypted. */
  body: z.string(),
  /** The compressed body (RFC 1951), for longer ones. */
  packed: binary().exactOptional(),
  /** The compressed body, encrypted, where it shows a door code or a secret (D140). */
  sealed: binary().exactOptional(),
  /** When the record expires, in epoch milliseconds. Conditions compare it; TTL only cleans up. */
  kept_until: z.int(),
}));
export type IdempotencyRecord = RecordOf<typeof IdempotencyRecord>;

export const IdempotencyEntity = defineEntity<IdempotencyRecord, Pick<IdempotencyRecord, 'scope'>>({
  name: 'IdempotencyRecord',
  meaning: 'The first answer to a request with an Idempotency-Key.',
  patterns: ['the answer to a repeated request, or what it began'],
  record: IdempotencyRecord,
  key: { pk: 'IDEMPOTENCY#{scope}', sk: 'RECORD' },
  expiresAt: (record) => Math.ceil(record.kept_until / 1000),
  example: { scope: 'key:1#order-77' },
});
