import * as z from 'zod';
import { Id } from '../../platform/schema/schema.ts';

const text = z.string().nullable();

/** The application with which guests sign in on pages. */
const StaySignIn = z
  .object({
    issuer: z.string(),
    audience: z.string(),
    client_id: z.string().meta({
      description: 'A public client: authorization code with PKCE. Its tokens are those of guests.',
    }),
  })
  .meta({ id: 'StaySignIn' });

/** A team as its pages show it (D144). */
export const StayTeam = z
  .object({
    team_id: Id,
    name: z.string(),
    language: text.meta({ description: 'Of mails to guests who have chosen none; null: Vietnamese.' }),
    contact_phone: text,
    contact_email: text,
    logo_url: text,
    sign_in: StaySignIn.nullable().meta({
      description: 'How guests sign in to book; null: this stage has no application for guests on pages.',
    }),
  })
  .meta({ id: 'StayTeam' });
export type StayTeam = z.infer<typeof StayTeam>;
