import * as z from 'zod';
import { blockUser, promoteUser, requirePerson, unblockUser } from '../../shared/domain/people/index.ts';
import { UserRecord } from '../../shared/domain/people/model.ts';
import { actorHistory } from './actor-history.ts';
import { defineCommand } from './command.ts';
import { EmailFlag, timeFlags, withPerson } from './fields.ts';

export const userCommands = {
  block: defineCommand({
    summary: 'Refuses the tokens of an account, within 60 seconds; its memberships and keys stay',
    changes: true,
    input: withPerson({}),
    run: ({ deps }, { person }) => blockUser(deps, person),
  }),
  unblock: defineCommand({
    summary: 'Ends the block of an account',
    changes: true,
    input: withPerson({}),
    run: ({ deps }, { person }) => unblockUser(deps, person),
  }),
  history: defineCommand({
    summary:
      'Lists what an account has changed in a time, its keys and webhooks, and the query of its requests',
    changes: false,
    input: withPerson(timeFlags),
    run: async (place, { person, ...time }) => {
      const { user } = await requirePerson(place.deps.table, person);
      return actorHistory(place, { actor: { user_id: user.user_id }, ...time });
    },
  }),
  promote: defineCommand({
    summary: 'Invites a person to the platform’s staff by a mailed link, or ends that role',
    changes: true,
    input: z.strictObject({
      email: EmailFlag,
      role: UserRecord.shape.system_role.describe('<ADMIN|USER>'),
    }),
    run: ({ deps, apiUrl }, input) => promoteUser(deps, { ...input, api_url: apiUrl() }),
  }),
};
