import { deflateRaw, inflateRaw } from '../compression.ts';
import type { Sealing } from '../data-key/sealing.ts';
import { ServiceError } from '../errors.ts';
import type { IdempotencyRecord } from './idempotency.entity.ts';

/** A body as an idempotency record stores it. */
export type StoredBody = Pick<IdempotencyRecord, 'body' | 'packed' | 'sealed'>;

/** Shorter bodies are stored as they are: compression would save no write unit. */
const compressedFrom = 512;
/** An item holds 400 KB including its other attributes. */
const maxBytes = 390 * 1024;

/**
 * Returns a body as it is stored. Throws PAYLOAD_TOO_LARGE, before anything is written, if an item cannot hold it; ten listings
 * with a price for each of 365 nights take less than a quarter.
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

type Scope = Pick<IdempotencyRecord, 'scope'>;

const placeOf = ({ scope }: Scope): string => `IdempotencyRecord/${scope}/body`;

/** Returns a body encrypted for the record of a request (D140). */
export const sealBody = async (sealing: Sealing, body: string, scope: Scope): Promise<StoredBody> => ({
  body: '',
  sealed: await sealing.seal(deflateRaw(body), placeOf(scope)),
});

/** Returns a body that is stored unencrypted. */
export const plainBody = ({ body, packed }: Pick<StoredBody, 'body' | 'packed'>): string =>
  packed ? inflateRaw(packed).toString() : body;

/** Returns a stored body exactly as it was sent. */
export const storedBody = async (sealing: () => Sealing, record: StoredBody & Scope): Promise<string> => {
  const { sealed } = record;
  if (!sealed) return plainBody(record);
  const opened = await sealing().open(sealed, placeOf(record));
  if (!opened) throw new Error('A stored answer cannot be decrypted.');
  return inflateRaw(opened).toString();
};
