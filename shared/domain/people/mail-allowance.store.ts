import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  absent,
  defineEntity,
  type Entity,
  equals,
  put,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { userPartition } from './user.store.ts';

const hourMs = 3_600_000;
const mostAnHour = 3;

/** When mails of one kind were asked for, so that there are at most three an hour (D55, D103). */
export interface AskedMails {
  /** Epoch milliseconds, oldest first; of the last hour. */
  asked_at: number[];
  version: number;
}

type Counted<Ids extends object> = Entity<Ids & AskedMails, Ids>;

/**
 * Sends a mail that may be asked for three times an hour; more is RATE_LIMIT_EXCEEDED. It is counted before it is sent: a crash
 * in between costs a mail, never sends a fourth one. What was not sent is not counted.
 */
export const sendCounted = async <Ids extends object>(
  ctx: Context,
  entity: Counted<Ids>,
  ids: Ids,
  send: () => Promise<void>,
): Promise<void> => {
  const before = await retryOnConflict(() => countMail(ctx, entity, ids));
  try {
    await send();
  } catch (error) {
    await returnAllowance(ctx, entity, before);
    throw error;
  }
};

/** Answers how it was before. */
const countMail = async <Ids extends object>(
  { table, clock }: Context,
  entity: Counted<Ids>,
  ids: Ids,
): Promise<Ids & AskedMails> => {
  const now = clock.now();
  const before = (await table.get(entity, ids)) ?? { ...ids, asked_at: [], version: 0 };
  const recent = before.asked_at.filter((asked) => asked > now - hourMs);
  const oldest = recent.at(-mostAnHour);
  if (oldest !== undefined)
    throw new ServiceError(
      'RATE_LIMIT_EXCEEDED',
      `At most ${mostAnHour} of these mails an hour are sent.`,
      {},
      { retryAfterSeconds: Math.max(1, Math.ceil((oldest + hourMs - now) / 1000)) },
    );
  await table.transact([keep(entity, { ...before, asked_at: [...recent, now] })]);
  return { ...before, asked_at: recent };
};

const keep = <Ids extends object>(entity: Counted<Ids>, mails: Ids & AskedMails): Write =>
  put(
    entity,
    { ...mails, version: mails.version + 1 },
    { when: mails.version === 0 ? absent() : equals('version', mails.version) },
  );

/** Unless another was counted meanwhile. */
const returnAllowance = async <Ids extends object>(
  { table, log }: Context,
  entity: Counted<Ids>,
  before: Ids & AskedMails,
): Promise<void> => {
  try {
    await table.transact([keep(entity, { ...before, version: before.version + 1 })]);
  } catch (cause) {
    log.debug('a mail that was not sent stays counted', { cause: String(cause) });
  }
};

/** When mails to set a new password were asked for with a key for an address, known or not (D103). */
export interface PasswordMails extends AskedMails {
  key_id: number;
  /** SHA-256 of the address, which may belong to no customer. */
  address: string;
}

const keptSeconds = 3600;

export const PasswordMailsEntity = defineEntity<PasswordMails, Pick<PasswordMails, 'key_id' | 'address'>>({
  name: 'PasswordMails',
  meaning: 'When mails to set a new password were asked for with a key for an address.',
  patterns: ['may another mail to set a new password be sent?'],
  key: ({ key_id, address }) => ({ pk: `KEY#${key_id}#PASSWORD_MAILS`, sk: address }),
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + keptSeconds,
  example: { key_id: 3, address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
});

/** When verification mails of a user were asked for (D55). */
export interface VerificationMails extends AskedMails {
  user_id: number;
}

const verificationKeptSeconds = 3600;

export const VerificationMailsEntity = defineEntity<VerificationMails, Pick<VerificationMails, 'user_id'>>({
  name: 'VerificationMails',
  meaning: 'When verification mails of a user were asked for again.',
  patterns: ['may another verification mail be sent?'],
  key: ({ user_id }) => ({ pk: userPartition(user_id), sk: 'VERIFICATION_MAILS' }),
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + verificationKeptSeconds,
  example: { user_id: 1 },
});
