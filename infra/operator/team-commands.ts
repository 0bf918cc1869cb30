import * as z from 'zod';
import { createTeam, listTeams } from '../../shared/domain/team/index.ts';
import { TeamName } from '../../shared/domain/team/team.schema.ts';
import { defineCommand } from './command.ts';

export const teamCommands = {
  create: defineCommand({
    summary: 'Makes a team',
    changes: true,
    options: { name: { type: 'string', meaning: '<text> name of the team', required: true } },
    input: z.strictObject({ name: TeamName }),
    run: async ({ deps }, { name }) => {
      const { team_id } = await createTeam(deps, { name });
      return { team_id };
    },
  }),
  list: defineCommand({
    summary: 'Lists all teams',
    changes: false,
    options: {},
    input: z.strictObject({}),
    run: async ({ deps }) => ({ items: await listTeams(deps) }),
  }),
};
