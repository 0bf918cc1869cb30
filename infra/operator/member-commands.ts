import * as z from 'zod';
import { addMember, listInvitations, listMembers, removeMember } from '../../shared/domain/people/index.ts';
import { HostRole, requireTeam } from '../../shared/domain/people/model.ts';
import { defineCommand } from './command.ts';
import { EmailFlag, TeamId } from './fields.ts';

export const memberCommands = {
  add: defineCommand({
    summary: 'Invites a person to a team by a mailed link, or gives a member another role',
    changes: true,
    input: z.strictObject({
      team: TeamId,
      email: EmailFlag,
      role: HostRole.describe('<OWNER|MANAGER|STAFF>'),
    }),
    run: ({ deps, apiUrl }, { team: team_id, ...input }) =>
      addMember(deps, { ...input, team_id, api_url: apiUrl() }),
  }),
  remove: defineCommand({
    summary: 'Takes a person out of a team, or withdraws the invitation',
    changes: true,
    input: z.strictObject({ team: TeamId, email: EmailFlag }),
    run: ({ deps }, input) => removeMember(deps, { ...input, team_id: input.team }),
  }),
  list: defineCommand({
    summary: 'Lists the hosts of a team and its open invitations',
    changes: false,
    input: z.strictObject({ team: TeamId }),
    run: async ({ deps }, input) => {
      await requireTeam(deps.table, input.team);
      return {
        items: await listMembers(deps, input.team),
        invitations: await listInvitations(deps, input.team),
      };
    },
  }),
};
