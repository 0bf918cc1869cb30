import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { Id, Instant, lineOf } from '../../platform/schema/schema.ts';
import { Language } from './user.schema.ts';

export const TeamName = lineOf(255);

/** A team: owns listings, has members and keys. */
export const TeamRecord = z
  .object({
    team_id: Id,
    name: TeamName,
    /** The language of mails to guests without a choice of their own (D102); absent: Vietnamese. */
    language: Language.optional(),
    created_at: Instant,
  })
  .meta({ id: 'Team' });
export type TeamRecord = z.infer<typeof TeamRecord>;

export const HostRole = z.enum(roles).exclude(['CUSTOMER']);
export type HostRole = z.infer<typeof HostRole>;
