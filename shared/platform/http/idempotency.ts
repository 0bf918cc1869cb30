import { createHash } from 'node:crypto';
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
import { IdempotencyEntity, type IdempotencyRecord } from './idempotency.entity.ts';
import { compressBody, decompressBody } from './compressed-body.ts';

const keptMs = 24 * 60 * 60 * 1000;

/** The request was answered before: this is the answer. */
export class Replay extends Error {
  readonly #record: IdempotencyRecord;
  constructor(record: IdempotencyRecord) {
    super('replayed');
    this.name = 'Replay';
    this.#record = record;
  }

  get status(): number {
    return this.#record.status;
  }

  /** Byte for byte as it was sent. */
  get body(): string {
    return decompressBody(this.#record);
  }
}

/** Refusals that say how things stand are kept; a request that is corrected, or comes at a better time, may use its key again (D100). */
export const isReplayable = (status: number): boolean => [402, 409, 410].includes(status);

/** What identifies a request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  scope: string;
  fingerprint: string;
  /** With the body's fields in the order in which they were sent: what a record from an earlier version holds. */
  fingerprintAsSent: string;
  request_id: string;
}

/** Reads the header (D6: 1 to 255 visible ASCII characters); absent: undefined. */
export const idempotentRequest = (
  header: string | undefined,
  caller: string,
  request: { request_id: string; method: string; path: string; body: unknown },
): IdempotentRequest | undefined => {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw invalid({
      path: 'Idempotency-Key',
      message: 'Idempotency-Key takes 1 to 255 visible ASCII characters.',
    });
  }
  const fingerprintOf = (body: string): string =>
    createHash('sha256').update(`${request.method} ${request.path}\n${body}`).digest('base64url');
  return {
    scope: `${caller}#${header}`,
    fingerprint: fingerprintOf(JSON.stringify(request.body ?? null, sortKeys)),
    fingerprintAsSent: fingerprintOf(JSON.stringify(request.body ?? null)),
    request_id: request.request_id,
  };
};

/** For JSON.stringify: two bodies with the same fields in another order are the same request. */
const sortKeys = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const isSame = (request: IdempotentRequest, { fingerprint }: IdempotencyRecord): boolean =>
  fingerprint === request.fingerprint || fingerprint === request.fingerprintAsSent;

/** The write that keeps an answer; when one is kept already it throws that answer instead. */
export const saveReply = (
  request: IdempotentRequest,
  { status, body }: { status: number; body: string },
  now: number,
): Write =>
  put(
    IdempotencyEntity,
    { ...recordOf(request), status, ...compressBody(body), kept_until: now + keptMs },
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

const startedBy = ({ fingerprint, fingerprintAsSent }: IdempotentRequest): Condition =>
  all(equals('status', 0), isOneOf('fingerprint', [fingerprint, fingerprintAsSent]));

/** The write that keeps what a request of several steps has begun; a twin that was faster is a lost race. */
export const saveStart = (request: IdempotentRequest, begun: number, now: number): Write =>
  put(
    IdempotencyEntity,
    { ...recordOf(request), status: 0, body: '', begun, kept_until: now + keptMs },
    { when: any(absent(), atMost('kept_until', now)), onConflict: (old) => errorFromEarlier(request, old) },
  );

/** What an earlier try of the request has begun; throws its {@link Replay} when it was answered. */
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

/** Keeps the refusal of a verb, or throws the answer that its twin got meanwhile. */
export const saveRefusal = async (
  table: Table,
  request: IdempotentRequest,
  answer: { status: number; body: string },
  now: number,
): Promise<void> => table.put(saveReply(request, answer, now));

const errorFromEarlier = (request: IdempotentRequest, old: IdempotencyRecord | undefined): Error => {
  if (!old || !isSame(request, old)) return new ServiceError('IDEMPOTENCY_KEY_REUSED');
  if (old.status === 0) return new ConflictError('IdempotencyRecord');
  return new Replay(old);
};
