import * as z from 'zod';
import { createTeam, listTeams, updateTeam } from '../../shared/domain/people/index.ts';
import { Language, TeamName } from '../../shared/domain/people/model.ts';
import { defineCommand } from './command.ts';
import { TeamId } from './fields.ts';

const language = Language.optional().describe(
  '<vi|en> of mails to guests who have chosen none; vi when never set',
);

export const teamCommands = {
  create: defineCommand({
    summary: 'Makes a team',
    changes: true,
    input: z.strictObject({ name: TeamName.describe('<text> name of the team'), language }),
    run: async ({ deps }, input) => {
      const { team_id } = await createTeam(deps, input);
      return { team_id };
    },
  }),
  update: defineCommand({
    summary: 'Changes the name of a team, or the language of its guests’ mails',
    changes: true,
    input: z.strictObject({
      team: TeamId,
      name: TeamName.optional().describe('<text> new name'),
      language,
    }),
    run: ({ deps }, { team, ...changes }) => updateTeam(deps, team, changes),
  }),
  list: defineCommand({
    summary: 'Lists all teams',
    changes: false,
    input: z.strictObject({}),
    run: async ({ deps }) => ({ items: await listTeams(deps) }),
  }),
};
