import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { absent, equals, put, untilWon, type Write } from '../../platform/table/index.ts';
import { accessibleCustomer } from './accessible-customer.ts';
import type { ResentVerification } from './customer.schema.ts';
import { refreshVerification } from './refresh-verification.ts';
import { type VerificationMails, VerificationMailsEntity } from './verification-mails.entity.ts';

const hourMs = 3_600_000;
const mostAnHour = 3;

/** Has the identity provider mail the verification link again, at most three times an hour (D55); who is verified needs none. */
export const resendVerification = async (
  ctx: Context<PartnerCaller>,
  userId: number,
): Promise<ResentVerification> => {
  const { user } = await refreshVerification(ctx, await accessibleCustomer(ctx, userId));
  const { user_id, email, auth0_id, email_verified } = user;
  if (email_verified)
    return { message: 'The e-mail address is verified already.', user_id, email, email_verified };
  if (auth0_id === null) throw new ServiceError('NOT_FOUND', 'This customer has no account yet.');
  const before = await untilWon(() => countMail(ctx, user_id));
  try {
    await ctx.identity().sendVerificationEmail(auth0_id);
  } catch (error) {
    await giveBack(ctx, before);
    throw error;
  }
  return { message: `A verification link was mailed to ${email}.`, user_id, email, email_verified };
};

/** Counts the mail before it is sent: a crash in between costs a mail, never a fourth one. Answers how it was before. */
const countMail = async ({ table, clock }: Context, user_id: number): Promise<VerificationMails> => {
  const now = clock.now();
  const found = await table.get(VerificationMailsEntity, { user_id });
  const before = found ?? { user_id, asked_at: [], version: 0 };
  const recent = before.asked_at.filter((asked) => asked > now - hourMs);
  const oldest = recent.at(-mostAnHour);
  if (oldest !== undefined)
    throw new ServiceError(
      'RATE_LIMIT_EXCEEDED',
      `At most ${mostAnHour} verification mails an hour are sent.`,
      {},
      { retryAfterSeconds: Math.max(1, Math.ceil((oldest + hourMs - now) / 1000)) },
    );
  await table.transact([keep({ ...before, asked_at: [...recent, now] })]);
  return { ...before, asked_at: recent };
};

const keep = (mails: VerificationMails): Write =>
  put(
    VerificationMailsEntity,
    { ...mails, version: mails.version + 1 },
    { when: mails.version === 0 ? absent() : equals('version', mails.version) },
  );

/** What was not sent is not counted, unless another was counted meanwhile. */
const giveBack = async ({ table, log }: Context, before: VerificationMails): Promise<void> => {
  const { user_id, version, asked_at } = before;
  try {
    await table.transact([keep({ user_id, asked_at, version: version + 1 })]);
  } catch (cause) {
    log.debug('a verification mail that was not sent stays counted', { user_id, cause: String(cause) });
  }
};
