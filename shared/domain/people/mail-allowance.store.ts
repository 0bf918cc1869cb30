import * as z from 'zod';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { freeAt } from '../../platform/mail/allowance.rules.ts';
import {
  absent,
  defineEntity,
  type Entity,
  equals,
  put,
  retryOnConflict,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';

const maxPerHour = 3;

/** When mails of one kind were requested; at most three an hour are sent (D55, D103). */
const mailRequests = () => ({
  /** Epoch milliseconds, oldest first; of the last hour. */
  asked_at: z.array(z.int()),
  version: z.int(),
});
type MailRequests = z.output<z.ZodObject<ReturnType<typeof mailRequests>>>;

type Counted<Ids extends object> = Entity<Ids & MailRequests, Ids>;

/**
 * Sends a mail, at most three an hour; throws RATE_LIMIT_EXCEEDED beyond that. A mail is counted before it is sent: a
 * crash in between loses a mail but never sends a fourth. A mail whose sending fails is not counted.
 */
export const sendCounted = async <Ids extends object>(
  ctx: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  entity: Counted<Ids>,
  ids: Ids,
  send: () => Promise<void>,
): Promise<void> => {
  const before = await retryOnConflict(async () => {
    const planned = await planMail(ctx, entity, ids);
    await ctx.table.transact([planned.write]);
    return planned.before;
  });
  try {
    await send();
  } catch (error) {
    await returnAllowance(ctx, entity, before);
    throw error;
  }
};

/** Returns the write that counts a mail, and the counter as it was before. Throws RATE_LIMIT_EXCEEDED beyond the limit of an hour. */
export const planMail = async <Ids extends object>(
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  entity: Counted<Ids>,
  ids: Ids,
  most = maxPerHour,
): Promise<{ before: Ids & MailRequests; write: Write }> => {
  const now = clock.now();
  const before = (await table.get(entity, ids)) ?? { ...ids, asked_at: [], version: 0 };
  const recent = before.asked_at.filter((asked) => Math.abs(now - asked) < hourMs);
  const free = freeAt(recent, [{ most, ms: hourMs }], now);
  if (free > now)
    throw new ServiceError(
      'RATE_LIMIT_EXCEEDED',
      `At most ${most} of these mails are sent in an hour.`,
      {},
      { retryAfterSeconds: Math.max(1, Math.ceil((free - now) / 1000)) },
    );
  return {
    before: { ...before, asked_at: recent },
    write: putRequests(entity, { ...before, asked_at: [...recent, now] }),
  };
};

const putRequests = <Ids extends object>(entity: Counted<Ids>, mails: Ids & MailRequests): Write =>
  put(
    entity,
    { ...mails, version: mails.version + 1 },
    { when: mails.version === 0 ? absent() : equals('version', mails.version) },
  );

/** Skipped if another mail was counted meanwhile. */
const returnAllowance = async <Ids extends object>(
  { table, log }: Pick<Dependencies, 'table' | 'log'>,
  entity: Counted<Ids>,
  before: Ids & MailRequests,
): Promise<void> => {
  try {
    await table.transact([putRequests(entity, { ...before, version: before.version + 1 })]);
  } catch (cause) {
    log.debug('a mail that was not sent stays counted', { cause: String(cause) });
  }
};

/** When password-reset mails were requested with a key for an address, whether or not it has an account (D103). */
const PasswordMailsRecord = defineRecord(() => ({
  ...mailRequests(),
  key_id: z.int(),
  /** SHA-256 of the address, which may not be a customer's. */
  address: z.string(),
}));
type PasswordMails = RecordOf<typeof PasswordMailsRecord>;

const keptSeconds = 3600;

export const PasswordMailsEntity = defineEntity<PasswordMails, Pick<PasswordMails, 'key_id' | 'address'>>({
  name: 'PasswordMails',
  meaning: 'When mails to set a new password were asked for with a key for an address.',
  patterns: ['may another mail to set a new password be sent?'],
  record: PasswordMailsRecord,
  key: { pk: 'KEY#{key_id}#PASSWORD_MAILS', sk: '{address}' },
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + keptSeconds,
  example: { key_id: 3, address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
});

/** When verification mails of a user were requested (D55). */
const VerificationMailsRecord = defineRecord(() => ({ ...mailRequests(), user_id: z.int() }));
type VerificationMails = RecordOf<typeof VerificationMailsRecord>;

const verificationKeptSeconds = 3600;

export const VerificationMailsEntity = defineEntity<VerificationMails, Pick<VerificationMails, 'user_id'>>({
  name: 'VerificationMails',
  meaning: 'When verification mails of a user were asked for again.',
  patterns: ['may another verification mail be sent?'],
  record: VerificationMailsRecord,
  key: { pk: 'USER#{user_id}', sk: 'VERIFICATION_MAILS' },
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + verificationKeptSeconds,
  example: { user_id: 1 },
});

/** When mails about invitations of an address were asked for (D105). */
const InvitationMailsRecord = defineRecord(() => ({
  ...mailRequests(),
  /** Null: of the platform's staff. */
  team_id: z.int().nullable(),
  /** SHA-256 of the address; `*`: the owners' to all of a team. */
  address: z.string(),
  kind: z.enum(['INVITATION', 'PASSWORD']),
}));
type InvitationMails = RecordOf<typeof InvitationMailsRecord>;

export const InvitationMailsEntity = defineEntity<
  InvitationMails,
  Pick<InvitationMails, 'team_id' | 'address' | 'kind'>
>({
  name: 'InvitationMails',
  meaning: 'When mails about invitations of an address to a team were asked for.',
  patterns: ['may another mail about an invitation be sent?'],
  record: InvitationMailsRecord,
  key: { pk: 'TEAM#{team_id}#INVITATION_MAILS', sk: '{kind}#{address}' },
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + keptSeconds,
  example: { team_id: 1, kind: 'INVITATION', address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
});
