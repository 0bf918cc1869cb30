import * as z from 'zod';
import type { PersonRef } from '../../shared/domain/people/index.ts';
import type { StoredPersonRef } from './person/person.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { Email } from '../../shared/domain/people/model.ts';
import { invalid } from '../../shared/platform/errors.ts';
import { Id } from '../../shared/platform/schema/schema.ts';

/** A whole number in a flag. */
export const wholeNumber = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    schema,
  );

/** An instant in a flag, as the table has it: UTC with milliseconds. */
export const Moment = z.iso
  .datetime({ offset: true, message: 'must be an instant, for example 2027-01-15T03:00:00Z' })
  .transform((text) => instantText(Date.parse(text)));

/** The flags of a time. */
export const timeFlags = {
  from: Moment.describe('<instant> from which on, for example 2027-01-15T03:00:00Z'),
  to: Moment.optional().describe('<instant> up to which; without it, now'),
};

/** Returns the end of a time: now, unless `to` is given. Throws VALIDATION_ERROR where nothing lies before it. */
export const endOf = ({ from, to }: { from: string; to?: string | undefined }, now: number): string => {
  const end = to ?? instantText(now);
  if (end >= from) return end;
  throw to === undefined
    ? invalid({ path: 'from', message: '--from lies in the future.' })
    : invalid({ path: 'to', message: '--to lies before --from.' });
};

/** How fast a command writes that goes through the table. */
export const ItemsPerSecond = wholeNumber(z.int().min(1).max(10_000))
  .default(100)
  .describe('<number> of items a second; 100');

export const TeamId = wholeNumber(Id).describe('<id> of the team');

/** A personal flag is not kept in the record of changes. */
const address = { description: '<address> of the person', personal: true };
export const EmailFlag = Email.meta(address);

/** The flags of a person: one of the three. */
const whoShape = {
  email: Email.optional().meta(address),
  user: wholeNumber(Id).optional().describe('<id> of the user, in place of the address'),
  subject: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("<the identity provider's user id>, in place of the address"),
};
type Who = z.output<z.ZodObject<typeof whoShape>>;

/** Returns the schema of a person's flags with others. */
export const withPerson = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...whoShape, ...shape }).transform((flags, ctx) => {
    const { email, user: user_id, subject, ...others } = flags as Who & z.output<z.ZodObject<Shape>>;
    return { person: onlyOne({ email, user_id, subject }, ctx) as PersonRef, ...others };
  });

const bookingShape = {
  booking: wholeNumber(Id)
    .optional()
    .describe('<id> of a booking of the guest, who may have neither account nor address'),
};

/** The same for what is stored of a person, who may be known by a booking alone. */
export const withStoredPerson = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...whoShape, ...bookingShape, ...shape }).transform((flags, ctx) => {
    const {
      email,
      user: user_id,
      subject,
      booking: booking_id,
      ...others
    } = flags as Who & z.output<z.ZodObject<typeof bookingShape>> & z.output<z.ZodObject<Shape>>;
    const person = onlyOne({ email, user_id, subject, booking_id }, ctx) as StoredPersonRef;
    return { person, ...others };
  });

const onlyOne = (given: Record<string, unknown>, ctx: z.RefinementCtx): object => {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (named.length === 1) return Object.fromEntries(named);
  const flags = Object.keys(given).map((name) => `--${name.replace('_id', '')}`);
  const message = `give one of ${flags.slice(0, -1).join(', ')} and ${flags.at(-1)}`;
  ctx.addIssue({ code: 'custom', path: ['email'], message });
  return z.NEVER;
};
