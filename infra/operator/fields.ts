import * as z from 'zod';
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
