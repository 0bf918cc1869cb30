import { defineEntity } from '../table/index.ts';

/** The stored response to a request with an Idempotency-Key, kept 24 hours (D6). */
export interface IdempotencyRecord {
  /** The caller's reference and the key. */
  scope: string;
  /** SHA-256 of method, path and body. */
  fingerprint: string;
  /** The request that was answered; it distinguishes an SDK retry from a second request. */
  request_id: string;
  /** 0 while the request has been started but not answered. */
  status: number;
  /** The order id that a request of several steps has started. */
  begun?: number;
  /** The body as it was sent; empty if it is compressed. */
  body: string;
  /** The compressed body (RFC 1951), for longer ones. */
  packed?: Uint8Array;
  /** When the record expires, in epoch milliseconds. Conditions compare it; TTL only cleans up. */
  kept_until: number;
}

export const IdempotencyEntity = defineEntity<IdempotencyRecord, Pick<IdempotencyRecord, 'scope'>>({
  name: 'IdempotencyRecord',
  meaning: 'The first answer to a request with an Idempotency-Key.',
  patterns: ['the answer to a repeated request, or what it began'],
  key: { pk: 'IDEMPOTENCY#{scope}', sk: 'RECORD' },
  expiresAt: (record) => Math.ceil(record.kept_until / 1000),
  example: { scope: 'key:1#order-77' },
});
