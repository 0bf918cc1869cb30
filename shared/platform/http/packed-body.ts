import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ServiceError } from '../errors.ts';
import type { IdempotencyRecord } from './idempotency.entity.ts';

type Kept = Pick<IdempotencyRecord, 'body' | 'packed'>;

/** A shorter body is not worth the work: it makes no item a kilobyte larger. */
const packedFrom = 512;
/** An item holds 400 KB, its other attributes included. */
const mostBytes = 390 * 1024;

/**
 * A body as a record keeps it. PAYLOAD_TOO_LARGE, before anything is written, when no item can hold it; ten listings with a
 * price for each of 365 nights take less than a quarter of that.
 */
export const packedBody = (body: string): Kept => {
  if (body.length < packedFrom) return { body };
  const packed = new Uint8Array(deflateRawSync(body));
  if (packed.byteLength > mostBytes)
    throw new ServiceError(
      'PAYLOAD_TOO_LARGE',
      'The answer to this request is too large to be repeated; send it in parts, or without an Idempotency-Key.',
    );
  return { body: '', packed };
};

export const unpackedBody = ({ body, packed }: Kept): string =>
  packed ? inflateRawSync(packed).toString() : body;
