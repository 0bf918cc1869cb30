import * as z from 'zod';
import { addMember, listMembers, removeMember } from '../../shared/domain/people/index.ts';
import { HostRole, requireTeam } from '../../shared/domain/people/model.ts';
import { defineCommand } from './command.ts';
import { EmailFlag, TeamId } from './fields.ts';

const team = { type: 'string', meaning: '<id> of the team', required: true } as const;
const email = { type: 'string', meaning: '<address> of the person', required: true, personal: true } as const;

export const memberCommands = {
  add: defineCommand({
    summary: 'Gives a person a role in a team, also before the first login',
    changes: true,
    options: { team, email, role: { type: 'string', meaning: '<OWNER|MANAGER|STAFF>', required: true } },
    input: z.strictObject({ team: TeamId, email: EmailFlag, role: HostRole }),
    run: ({ deps }, input) => addMember(deps, { ...input, team_id: input.team }),
  }),
  remove: defineCommand({
    summary: 'Takes a person out of a team',
    changes: true,
    options: { team, email },
    input: z.strictObject({ team: TeamId, email: EmailFlag }),
    run: ({ deps }, input) => removeMember(deps, { ...input, team_id: input.team }),
  }),
  list: defineCommand({
    summary: 'Lists the hosts of a team',
    changes: false,
    options: { team },
    input: z.strictObject({ team: TeamId }),
    run: async ({ deps }, input) => {
      await requireTeam(deps.table, input.team);
      return { items: await listMembers(deps, input.team) };
    },
  }),
};
