import { deflateRaw, inflateRaw } from '../compression.ts';
import { ServiceError } from '../errors.ts';
import type { IdempotencyRecord } from './idempotency.entity.ts';

type StoredBody = Pick<IdempotencyRecord, 'body' | 'packed'>;

/** Shorter bodies are stored as they are: compression would save no write unit. */
const compressedFrom = 512;
/** An item holds 400 KB including its other attributes. */
const maxBytes = 390 * 1024;

/**
 * Returns a body as an idempotency record stores it. Throws PAYLOAD_TOO_LARGE, before anything is written, if an item cannot
 * hold it; ten listings with a price for each of 365 nights take less than a quarter.
 */
export const compressBody = (body: string): StoredBody => {
  if (body.length < compressedFrom) return { body };
  const packed = new Uint8Array(deflateRaw(body));
  if (packed.byteLength > maxBytes)
    throw new ServiceError(
      'PAYLOAD_TOO_LARGE',
      'The response to this request is too large to be stored; send it in parts, or without an Idempotency-Key.',
    );
  return { body: '', packed };
};

export const decompressBody = ({ body, packed }: StoredBody): string =>
  packed ? inflateRaw(packed).toString() : body;
