import { createHash } from 'node:crypto';
import type { Sealing } from '../data-key/sealing.ts';
import { invalid, ServiceError } from '../errors.ts';
import {
  absent,
  all,
  any,
  atMost,
  type Condition,
  equals,
  isOneOf,
  ConflictError,
  put,
  type Table,
  type Write,
} from '../table/index.ts';
import { dayMs } from '../time/time.ts';
import { IdempotencyEntity, type IdempotencyRecord } from './idempotency.entity.ts';
import type { StoredBody } from './compressed-body.ts';
import { holdsSealed } from './sealed-fields.ts';

const keptMs = dayMs;

/** Thrown for a request that was already answered, with the stored response. */
export class Replay extends Error {
  readonly record: IdempotencyRecord;
  constructor(record: IdempotencyRecord) {
    super('replayed');
    this.name = 'Replay';
    this.record = record;
  }
}

/** Returns whether an error response is stored for replay (D100). After any other error the same key may be used again. */
export const isReplayable = (status: number): boolean => [402, 409, 410].includes(status);

/** The identity of a request with an Idempotency-Key. */
export interface IdempotentRequest {
  scope: string;
  fingerprint: string;
  /** Those of the key before, and of earlier versions: without a key, and with the body's fields in their original order. */
  earlierFingerprints: readonly string[];
  request_id: string;
}

interface SentRequest {
  request_id: string;
  method: string;
  path: string;
  body: unknown;
  sealing: () => Sealing;
}

/**
 * Returns the identity of a request with an Idempotency-Key (D6: 1 to 255 visible ASCII characters); undefined without one. The
 * fingerprint of one with a door code is keyed, because a short code could be guessed from its hash (D140).
 */
export const idempotentRequest = async (
  header: string | undefined,
  caller: string,
  { method, path, body = null, request_id, sealing }: SentRequest,
): Promise<IdempotentRequest | undefined> => {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw invalid({
      path: 'Idempotency-Key',
      message: 'Idempotency-Key takes 1 to 255 visible ASCII characters.',
    });
  }
  const sorted = JSON.stringify(body, sortKeys);
  const hashOf = (text: string): string =>
    createHash('sha256').update(`${method} ${path}\n${text}`).digest('base64url');
  const [plain, asSent] = [hashOf(sorted), hashOf(JSON.stringify(body))];
  const request = { scope: `${caller}#${header}`, request_id };
  if (!holdsSealed(sorted)) return { ...request, fingerprint: plain, earlierFingerprints: [asSent] };
  const [fingerprint, ...ofKeyBefore] = await sealing().fingerprints(plain);
  return { ...request, fingerprint, earlierFingerprints: [...ofKeyBefore, plain, asSent] };
};

/** A JSON.stringify replacer: bodies with the same fields in another order have the same fingerprint. */
const sortKeys = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const fingerprintsOf = ({ fingerprint, earlierFingerprints }: IdempotentRequest): string[] => [
  fingerprint,
  ...earlierFingerprints,
];

const isSame = (request: IdempotentRequest, { fingerprint }: IdempotencyRecord): boolean =>
  fingerprintsOf(request).includes(fingerprint);

/** A response as it is stored. */
export type StoredAnswer = StoredBody & { status: number };

/** Returns the write that stores a response. If one is already stored, the write fails with it as {@link Replay}. */
export const saveReply = (request: IdempotentRequest, answer: StoredAnswer, now: number): Write =>
  put(
    IdempotencyEntity,
    { ...recordOf(request), ...answer, kept_until: now + keptMs },
    {
      when: any(absent(), atMost('kept_until', now), startedBy(request)),
      onConflict: (old) => errorFromEarlier(request, old),
    },
  );

const recordOf = ({ scope, fingerprint, request_id }: IdempotentRequest) => ({
  scope,
  fingerprint,
  request_id,
});

const startedBy = (request: IdempotentRequest): Condition =>
  all(equals('status', 0), isOneOf('fingerprint', fingerprintsOf(request)));

/** Returns the write that records the id of what a request has started. A concurrent duplicate is a conflict. */
export const saveStart = (request: IdempotentRequest, id: number, now: number): Write =>
  put(
    IdempotencyEntity,
    { ...recordOf(request), status: 0, body: '', begun: id, kept_until: now + keptMs },
    { when: any(absent(), atMost('kept_until', now)), onConflict: (old) => errorFromEarlier(request, old) },
  );

/** Returns the id of what an earlier attempt has started. Throws {@link Replay} if the request was answered. */
export const findStarted = async (
  table: Table,
  request: IdempotentRequest,
  now: number,
): Promise<number | undefined> => {
  const record = await table.get(IdempotencyEntity, request);
  if (!record || record.kept_until <= now) return undefined;
  if (isSame(request, record) && record.status === 0) return record.begun;
  throw errorFromEarlier(request, record);
};

/** Stores the error response of a verb, or throws the {@link Replay} of a concurrent duplicate. */
export const saveRefusal = async (
  table: Table,
  request: IdempotentRequest,
  answer: StoredAnswer,
  now: number,
): Promise<void> => table.put(saveReply(request, answer, now));

const errorFromEarlier = (request: IdempotentRequest, old: IdempotencyRecord | undefined): Error => {
  if (!old || !isSame(request, old)) return new ServiceError('IDEMPOTENCY_KEY_REUSED');
  if (old.status === 0) return new ConflictError('IdempotencyRecord');
  return new Replay(old);
};
