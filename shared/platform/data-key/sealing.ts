import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';

/** Returns the HMAC-SHA-256 of a text, 32 bytes, by a key that only its keeper has. */
export type KeyedHash = (text: string) => Promise<Buffer>;

/** Encrypts what must not be read in the table (D140). Each method throws SERVICE_UNAVAILABLE while the key cannot be had. */
export interface Sealing {
  /** Encrypts a value for its place: entity, id and field. */
  seal(value: string | Uint8Array, place: string): Promise<Uint8Array>;
  /** Returns the value; undefined if this stage has not encrypted it for this place. */
  open(sealed: Uint8Array, place: string): Promise<Buffer | undefined>;
  /** Returns by what equal texts are recognised; without the key it says nothing of them. */
  fingerprint(text: string): Promise<string>;
}

interface DataKey {
  encrypts: Buffer;
  recognises: Buffer;
}

/** The first byte of what is encrypted; the second is the number of its key. */
const format = 1;
const headBytes = 2;
const ivBytes = 12;
const tagBytes = 16;
/** A request that comes again within 24 hours is recognised by the same key, whatever its number is then. */
const recognising = 1;

/**
 * Returns the sealing of a stage: AES-256-GCM by a data key that is made from the keeper's at the first use, and kept until the
 * process ends. Another number makes another key; what earlier ones have encrypted stays readable.
 */
export const createSealing = (
  keeper: KeyedHash,
  { stage, number = 1 }: { stage: string; number?: number },
): Sealing => {
  const keys = new Map<number, Promise<DataKey>>();
  const keyOf = (wanted: number): Promise<DataKey> => {
    const kept = keys.get(wanted);
    if (kept) return kept;
    const made = makeKey(keeper, `nightlatch/${stage}/data-key/${wanted}`);
    keys.set(wanted, made);
    made.catch(() => keys.delete(wanted));
    return made;
  };
  return {
    seal: async (value, place) => {
      const { encrypts } = await keyOf(number);
      const head = Buffer.from([format, number]);
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', encrypts, iv).setAAD(boundTo(head, place));
      return new Uint8Array(
        Buffer.concat([head, iv, cipher.update(value), cipher.final(), cipher.getAuthTag()]),
      );
    },
    open: async (sealed, place) => {
      const bytes = Buffer.from(sealed);
      const [of = 0, wanted = 0] = bytes;
      if (of !== format || wanted === 0 || bytes.length < headBytes + ivBytes + tagBytes) return undefined;
      const { encrypts } = await keyOf(wanted);
      const iv = bytes.subarray(headBytes, headBytes + ivBytes);
      const decipher = createDecipheriv('aes-256-gcm', encrypts, iv, { authTagLength: tagBytes })
        .setAAD(boundTo(bytes.subarray(0, headBytes), place))
        .setAuthTag(bytes.subarray(-tagBytes));
      const opened = decipher.update(bytes.subarray(headBytes + ivBytes, -tagBytes));
      try {
        return Buffer.concat([opened, decipher.final()]);
      } catch {
        return undefined;
      }
    },
    fingerprint: async (text) => {
      const { recognises } = await keyOf(recognising);
      return createHmac('sha256', recognises).update(text).digest('base64url');
    },
  };
};

const boundTo = (head: Buffer, place: string): Buffer => Buffer.concat([head, Buffer.from(place)]);

const makeKey = async (keeper: KeyedHash, name: string): Promise<DataKey> => {
  const secret = await keeper(name).catch((cause: unknown) => {
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { cause, retryAfterSeconds: 10 });
  });
  const part = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', use, 32));
  return { encrypts: part('encrypts'), recognises: part('recognises') };
};
