import * as z from 'zod';
import { createTeam, listTeams, updateTeam } from '../../shared/domain/people/index.ts';
import { Language, TeamName } from '../../shared/domain/people/model.ts';
import { defineCommand } from './command.ts';
import { TeamId } from './fields.ts';

const language = {
  type: 'string',
  meaning: '<vi|en> of mails to guests who have chosen none; vi when never set',
} as const;

export const teamCommands = {
  create: defineCommand({
    summary: 'Makes a team',
    changes: true,
    options: { name: { type: 'string', meaning: '<text> name of the team', required: true }, language },
    input: z.strictObject({ name: TeamName, language: Language.optional() }),
    run: async ({ deps }, input) => {
      const { team_id } = await createTeam(deps, input);
      return { team_id };
    },
  }),
  update: defineCommand({
    summary: 'Changes the name of a team, or the language of its guests’ mails',
    changes: true,
    options: {
      team: { type: 'string', meaning: '<id> of the team', required: true },
      name: { type: 'string', meaning: '<text> new name' },
      language,
    },
    input: z.strictObject({ team: TeamId, name: TeamName.optional(), language: Language.optional() }),
    run: ({ deps }, { team, ...changes }) => updateTeam(deps, team, changes),
  }),
  list: defineCommand({
    summary: 'Lists all teams',
    changes: false,
    options: {},
    input: z.strictObject({}),
    run: async ({ deps }) => ({ items: await listTeams(deps) }),
  }),
};
