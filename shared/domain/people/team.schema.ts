import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { Id, Instant } from '../../platform/schema.ts';
import { Language } from './user.schema.ts';

export const TeamName = z.string().trim().min(1).max(255);

/** A team: who owns listings, has members and keys. */
export const TeamRecord = z.object({
  team_id: Id,
  name: TeamName,
  /** Of the mails to guests who have chosen none (D102); absent: Vietnamese. */
  language: Language.optional(),
  created_at: Instant,
});
export type TeamRecord = z.infer<typeof TeamRecord>;

export const HostRole = z.enum(roles).exclude(['CUSTOMER']);
export type HostRole = z.infer<typeof HostRole>;
