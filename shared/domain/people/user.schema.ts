import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { DateText, Id, Instant, lineOf } from '../../platform/schema/schema.ts';

const MembershipState = z.enum(['ACTIVE', 'INACTIVE']);
type MembershipState = z.infer<typeof MembershipState>;

/** A membership in a user record (D13), without the user. */
const TeamOfUser = z
  .object({
    team_id: Id,
    role: z.enum(roles).meta({ description: 'OWNER, MANAGER and STAFF are the host side.' }),
    state: MembershipState,
  })
  .meta({ id: 'UserTeam' });

/** Languages of mails and pages (D66). */
export const Language = z
  .enum(['vi', 'en'])
  .meta({ id: 'Language', description: 'Language of mail and messages.' });
export type Language = z.infer<typeof Language>;

export const FullName = lineOf(200).meta({
  description: 'Name, at most 200 characters on one line.',
  examples: ['Nguyễn Văn An'],
});

/** E.164 has at most 15. */
const hasPhoneDigits = (text: string): boolean => /^\d{5,15}$/.test(text.replaceAll(/\D/g, ''));

export const Phone = z
  .string()
  .trim()
  .regex(/^\+?[0-9][0-9 ().-]{4,30}$/, { error: 'must be a telephone number', abort: true })
  .refine(hasPhoneDigits, 'must be a telephone number of 5 to 15 digits')
  .meta({ description: 'Telephone number, 5 to 15 digits.', examples: ['+84 901 234 567'] });

/** An e-mail address in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an e-mail address'))
  .meta({ description: 'E-mail address.', examples: ['an@example.com'] });

/** A user. An invited person has no `auth0_id` until the first login. */
export const UserRecord = z
  .object({
    id: Id,
    email: z.string(),
    phone: z.string(),
    full_name: z.string(),
    avatar_url: z.string().nullable(),
    date_of_birth: DateText.nullable(),
    gender: z.string().nullable(),
    language: Language,
    timezone: z.string(),
    auth0_id: z.string().nullable(),
    is_verified: z.boolean(),
    verification_status: z.enum(['PENDING', 'VERIFIED']),
    rejection_reason: z.string().nullable(),
    status: z.enum(['ACTIVE', 'DELETED']),
    system_role: z.enum(['USER', 'ADMIN']),
    host_status: z.string(),
    host_application_at: Instant.nullable(),
    host_approved_at: Instant.nullable(),
    host_approved_by: Id.nullable(),
    last_login_at: Instant.nullable(),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: Instant.nullable(),
    teams: z.array(TeamOfUser),
    email_verified: z.boolean(),
  })
  .meta({ id: 'User' });
export type UserRecord = z.infer<typeof UserRecord>;

/** The fields that users change of their own record (D74); absent fields stay. */
export const UpdateMe = z
  .strictObject({ full_name: FullName, phone: Phone, language: Language })
  .partial()
  .meta({ id: 'UpdateMe' });
export type UpdateMe = z.infer<typeof UpdateMe>;
