import * as z from 'zod';
import { Id, Instant, lineOf } from '../../platform/schema/schema.ts';
import { Language } from '../people/user.schema.ts';

/** The names of the mails that guests get about a booking (D91); a test holds them beside the table. */
export const TeamMailName = z
  .enum([
    'requested',
    'to_pay',
    'booked',
    'confirmed',
    'cancelled',
    'restored',
    'declined',
    'change_given_up',
    'change_kept',
    'changed',
    'no_show',
    'access_released',
    'paid',
    'refunded',
    'deposit_kept',
    'change_to_pay',
    'due_to_pay',
    'deposit_asked',
    'balance',
    'window',
    'reminder',
    'address_corrected',
    'review',
  ])
  .meta({ id: 'TeamMailName', description: 'A mail to guests about a booking.', examples: ['booked'] });

const placed =
  'Facts of the booking in double braces, such as `{{guest}}`; no addresses of pages or mailboxes.';

/** A team's own words for a mail, as it writes them. */
export const TeamMailRequest = z
  .strictObject({
    language: Language,
    subject: lineOf(200).meta({ description: placed }),
    text: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .meta({ description: `In place of the first sentence. ${placed}` }),
  })
  .meta({ id: 'TeamMailRequest' });
export type TeamMailRequest = z.infer<typeof TeamMailRequest>;

export const PreviewTeamMail = TeamMailRequest.extend({
  booking_id: Id.meta({ description: 'A stay of the team, whose facts are shown.' }),
}).meta({ id: 'PreviewTeamMail' });
export type PreviewTeamMail = z.infer<typeof PreviewTeamMail>;

export const teamMailQuery = z.strictObject({
  language: Language.optional().meta({ description: 'Left out: both.' }),
});

const placeholders = z.array(z.string());

/** The words for a mail in a language: the team's own, or those of the service. */
export const TeamMail = z
  .object({
    name: TeamMailName,
    language: Language,
    is_own: z
      .boolean()
      .meta({ description: 'Whether the team has written it; false: the words of the service.' }),
    subject: z.string(),
    text: z.string(),
    placeholders: z
      .object({ subject: placeholders, text: placeholders })
      .meta({ id: 'MailPlaceholders', description: 'What each may have in double braces.' }),
    updated_at: Instant.nullable(),
  })
  .meta({ id: 'TeamMail' });
export type TeamMail = z.infer<typeof TeamMail>;

export const TeamMails = z.object({ items: z.array(TeamMail) }).meta({ id: 'TeamMails' });
export type TeamMails = z.infer<typeof TeamMails>;

/** A mail as a guest would get it. */
export const MailPreview = z
  .object({ subject: z.string(), text: z.string(), html: z.string() })
  .meta({ id: 'MailPreview' });
export type MailPreview = z.infer<typeof MailPreview>;
