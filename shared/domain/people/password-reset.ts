import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { addressDigest } from '../../platform/mail/allowance.rules.ts';
import type { PasswordResetRequest, RequestedPasswordReset } from './customer.schema.ts';
import { emailFor } from './customers.ts';
import { PasswordMailsEntity, sendCounted } from './mail-allowance.store.ts';

/**
 * Has the identity provider mail a link to set a new password (D103). Response and limit are the same whether or not the
 * address has an account, so that accounts cannot be probed.
 */
export const requestPasswordReset = async (
  ctx: Context<PartnerCaller>,
  { email }: PasswordResetRequest,
): Promise<RequestedPasswordReset> => {
  const address = addressDigest(email);
  await sendCounted(ctx, PasswordMailsEntity, { key_id: ctx.caller.key_id, address }, () =>
    ctx.identity().sendPasswordReset(email),
  );
  return {
    message:
      'If there is an account with this e-mail address, a link to set a new password was mailed to it.',
    email: emailFor(ctx.caller, email),
  };
};
