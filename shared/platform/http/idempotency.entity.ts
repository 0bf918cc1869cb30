import { defineEntity } from '../table/index.ts';

/** The answer to a request that carried an Idempotency-Key, kept 24 hours (D6). */
export interface IdempotencyRecord {
  /** The caller's reference and the key. */
  scope: string;
  /** SHA-256 of method, path and body. */
  fingerprint: string;
  /** The request that was answered: what tells its own repetition on the wire from a twin's. */
  request_id: string;
  /** 0: not answered yet, but begun. */
  status: number;
  /** The order that a request of several steps began. */
  begun?: number;
  /** The body as it was sent, byte for byte; empty where it is packed. */
  body: string;
  /** A longer body, deflated (RFC 1951). */
  packed?: Uint8Array;
  /** Epoch milliseconds; judged by the clock in the condition, the table's TTL is only the broom. */
  kept_until: number;
}

export const IdempotencyEntity = defineEntity<IdempotencyRecord, Pick<IdempotencyRecord, 'scope'>>({
  name: 'IdempotencyRecord',
  meaning: 'The first answer to a request with an Idempotency-Key.',
  patterns: ['the answer to a repeated request, or what it began'],
  key: ({ scope }) => ({ pk: `IDEMPOTENCY#${scope}`, sk: 'RECORD' }),
  expiresAt: (record) => Math.ceil(record.kept_until / 1000),
  example: { scope: 'key:1#order-77' },
});
