import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { Id, Instant } from '../../platform/schema/schema.ts';
import { Email } from './user.schema.ts';

const TeamRole = z.enum(roles).exclude(['CUSTOMER']).meta({
  description:
    'OWNER: everything, with keys and members; MANAGER: everything else; STAFF: reads all, blocks dates, checks guests in and out, writes messages.',
});

export const SetTeamMember = z.strictObject({ email: Email, role: TeamRole }).meta({ id: 'SetTeamMember' });
export type SetTeamMember = z.infer<typeof SetTeamMember>;

/** A member of a host team as its owners see it (D93). */
export const TeamMember = z
  .object({
    user_id: Id.meta({
      description: 'The member; of an invitation its own id, by which `DELETE` withdraws it.',
    }),
    email: z.string(),
    full_name: z.string().meta({ description: 'Empty until the person has given one.' }),
    role: TeamRole,
    state: z.enum(['ACTIVE', 'INVITED', 'INACTIVE']).meta({
      description:
        'INVITED: an open invitation, which gives no right before the person accepts it. INACTIVE: invited before invitations were accepted; invite the address again.',
    }),
    created_at: Instant,
    expires_at: Instant.nullable().meta({ description: 'When an invitation ends; null: a member.' }),
  })
  .meta({ id: 'TeamMember' });
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamMembers = z.object({ items: z.array(TeamMember) }).meta({ id: 'TeamMembers' });
export type TeamMembers = z.infer<typeof TeamMembers>;
