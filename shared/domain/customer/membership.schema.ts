import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { Id } from '../../platform/schema.ts';

export const MembershipState = z.enum(['ACTIVE', 'INACTIVE']);
export type MembershipState = z.infer<typeof MembershipState>;

/** A team of a user record: (team, user, role, state) of D13 without the user. */
export const TeamOfUser = z.object({
  team_id: Id,
  role: z.enum(roles).meta({ description: 'OWNER, MANAGER and STAFF are the host side.' }),
  state: MembershipState,
});
export type TeamOfUser = z.infer<typeof TeamOfUser>;
