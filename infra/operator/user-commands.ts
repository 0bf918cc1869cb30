import * as z from 'zod';
import { blockUser, promoteUser, unblockUser } from '../../shared/domain/people/index.ts';
import { UserRecord } from '../../shared/domain/people/model.ts';
import { defineCommand } from './command.ts';
import { EmailFlag, personOptions, withPerson } from './fields.ts';

export const userCommands = {
  block: defineCommand({
    summary: 'Refuses the tokens of an account, within 60 seconds; its memberships and keys stay',
    changes: true,
    options: personOptions,
    input: withPerson({}),
    run: ({ deps }, { person }) => blockUser(deps, person),
  }),
  unblock: defineCommand({
    summary: 'Ends the block of an account',
    changes: true,
    options: personOptions,
    input: withPerson({}),
    run: ({ deps }, { person }) => unblockUser(deps, person),
  }),
  promote: defineCommand({
    summary: 'Gives a person who has logged in a platform role',
    changes: true,
    options: {
      email: { type: 'string', meaning: '<address> of the person, verified', required: true },
      role: { type: 'string', meaning: '<ADMIN|USER>', required: true },
    },
    input: z.strictObject({ email: EmailFlag, role: UserRecord.shape.system_role }),
    run: async ({ deps }, input) => {
      const { user_id, system_role } = await promoteUser(deps, input);
      return { user_id, system_role };
    },
  }),
};
