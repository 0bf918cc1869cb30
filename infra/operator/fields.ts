import * as z from 'zod';
import type { PersonRef } from '../../shared/domain/people/index.ts';
import { Email } from '../../shared/domain/people/model.ts';
import { Id } from '../../shared/platform/schema.ts';

/** A whole number in a flag. */
export const wholeNumber = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    schema,
  );

export const TeamId = wholeNumber(Id);
export const KeyId = wholeNumber(Id);
export const EmailFlag = Email;

/** The flags of a person, and their input: one of the two. */
export const personOptions = {
  email: { type: 'string', meaning: '<address> of the person' },
  user: { type: 'string', meaning: '<id> of the user, in place of the address' },
} as const;
export const PersonFlags = z
  .strictObject({ email: EmailFlag.optional(), user: wholeNumber(Id).optional() })
  .transform(({ email, user: user_id }, ctx): PersonRef => {
    if (email !== undefined && user_id === undefined) return { email };
    if (user_id !== undefined && email === undefined) return { user_id };
    ctx.addIssue({ code: 'custom', path: ['email'], message: 'give either --email or --user' });
    return z.NEVER;
  });
