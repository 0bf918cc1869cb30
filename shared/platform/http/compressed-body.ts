import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ServiceError } from '../errors.ts';
import type { IdempotencyRecord } from './idempotency.entity.ts';

type StoredBody = Pick<IdempotencyRecord, 'body' | 'packed'>;

/** A shorter body is not worth the work: it makes no item a kilobyte larger. */
const compressedFrom = 512;
/** An item holds 400 KB, its other attributes included. */
const maxBytes = 390 * 1024;

/**
 * A body as a record keeps it. PAYLOAD_TOO_LARGE, before anything is written, when no item can hold it; ten listings with a
 * price for each of 365 nights take less than a quarter of that.
 */
export const compressBody = (body: string): StoredBody => {
  if (body.length < compressedFrom) return { body };
  const packed = new Uint8Array(deflateRawSync(body));
  if (packed.byteLength > maxBytes)
    throw new ServiceError(
      'PAYLOAD_TOO_LARGE',
      'The answer to this request is too large to be repeated; send it in parts, or without an Idempotency-Key.',
    );
  return { body: '', packed };
};

export const decompressBody = ({ body, packed }: StoredBody): string =>
  packed ? inflateRawSync(packed).toString() : body;
