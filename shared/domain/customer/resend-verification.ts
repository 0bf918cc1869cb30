import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { accessibleCustomer } from './accessible-customer.ts';
import type { ResentVerification } from './customer.schema.ts';
import { sendCounted } from './mail-allowance.ts';
import { refreshVerification } from './refresh-verification.ts';
import { VerificationMailsEntity } from './verification-mails.entity.ts';

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
  await sendCounted(ctx, VerificationMailsEntity, { user_id }, () =>
    ctx.identity().sendVerificationEmail(auth0_id),
  );
  return { message: `A verification link was mailed to ${email}.`, user_id, email, email_verified };
};
