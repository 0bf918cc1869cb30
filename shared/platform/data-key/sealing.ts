import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';

/** Returns the HMAC-SHA-256 of a text, 32 bytes, by a key that only its keeper has. */
export type KeyedHash = (text: string) => Promise<Buffer>;

/** The key does not exist any more. */
export class KeyLost extends Error {
  constructor() {
    super('The key does not exist any more.');
    this.name = 'KeyLost';
  }
}

/** Encrypts what must not be read in the table (D140). Each method throws SERVICE_UNAVAILABLE while a key cannot be had. */
export interface Sealing {
  /** Encrypts a value for its place: entity, id and field. */
  seal(value: string | Uint8Array, place: string): Promise<Uint8Array>;
  /** Returns the value; undefined if this stage has not encrypted it for this place, or its key was lost. */
  open(sealed: Uint8Array, place: string): Promise<Buffer | undefined>;
  /**
   * Returns by what equal texts are recognised; without a key it says nothing of them. The first is that of the present key, the
   * second that of the key before.
   */
  fingerprints(text: string): Promise<readonly [string, ...string[]]>;
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

/**
 * Returns the sealing of a stage: AES-256-GCM by a data key that is made by a keeper at the first use, and kept until the process
 * ends.
 * @param keepers - of the data keys number 1, 2 and so on; the last one encrypts, and what earlier ones have encrypted stays readable
 */
export const createSealing = (keepers: readonly KeyedHash[], stage: string): Sealing => {
  const keys = new Map<number, Promise<DataKey>>();
  const keyOf = (number: number): Promise<DataKey> => {
    const kept = keys.get(number);
    if (kept) return kept;
    const made = makeKey(keepers[number - 1] ?? unknownKey, `nightlatch/${stage}/data-key/${number}`);
    keys.set(number, made);
    made.catch(() => keys.delete(number));
    return made;
  };
  const present = keepers.length;
  const fingerprint = async (text: string, number: number): Promise<string> => {
    const { recognises } = await keyOf(number);
    return createHmac('sha256', recognises).update(text).digest('base64url');
  };
  return {
    seal: async (value, place) => {
      const { encrypts } = await keyOf(present);
      const head = Buffer.from([format, present]);
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', encrypts, iv).setAAD(boundTo(head, place));
      const sealed = [head, iv, cipher.update(value), cipher.final(), cipher.getAuthTag()];
      return new Uint8Array(Buffer.concat(sealed));
    },
    open: async (sealed, place) => {
      const bytes = Buffer.from(sealed);
      const [of = 0, number = 0] = bytes;
      if (of !== format || number === 0 || bytes.length < headBytes + ivBytes + tagBytes) return undefined;
      try {
        return decrypted((await keyOf(number)).encrypts, bytes, place);
      } catch (error) {
        if (error instanceof ServiceError && !(error.cause instanceof KeyLost)) throw error;
        return undefined;
      }
    },
    fingerprints: async (text) => [
      await fingerprint(text, present),
      ...(present > 1
        ? await fingerprint(text, present - 1).then(
            (one) => [one],
            () => [],
          )
        : []),
    ],
  };
};

/** Throws unless the bytes were encrypted so. */
const decrypted = (key: Buffer, bytes: Buffer, place: string): Buffer => {
  const iv = bytes.subarray(headBytes, headBytes + ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    .setAAD(boundTo(bytes.subarray(0, headBytes), place))
    .setAuthTag(bytes.subarray(-tagBytes));
  const opened = decipher.update(bytes.subarray(headBytes + ivBytes, -tagBytes));
  return Buffer.concat([opened, decipher.final()]);
};

const boundTo = (head: Buffer, place: string): Buffer => Buffer.concat([head, Buffer.from(place)]);

/** Of a version that is deployed at this moment, and of which this instance is not. */
const unknownKey: KeyedHash = () => Promise.reject(new Error('This version does not know the data key.'));

const makeKey = async (keeper: KeyedHash, name: string): Promise<DataKey> => {
  const secret = await keeper(name).catch((cause: unknown) => {
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { cause, retryAfterSeconds: 10 });
  });
  const part = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', use, 32));
  return { encrypts: part('encrypts'), recognises: part('recognises') };
};
