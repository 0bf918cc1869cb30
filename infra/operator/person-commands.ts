import * as z from 'zod';
import { defineCommand } from './command.ts';
import { withStoredPerson } from './fields.ts';
import { erasePerson, previewErasure } from './person/erase-person.ts';
import { exportPerson } from './person/export-person.ts';

/** Commands for the rights of a person. They read the whole table. */
export const personCommands = {
  export: defineCommand({
    summary: 'Prints what is stored of a person, without credentials',
    changes: false,
    input: withStoredPerson({}),
    run: (place, { person }) => exportPerson(place, person),
  }),
  erase: defineCommand({
    summary: 'Erases what is stored of a person; what was booked and paid stays, without a name',
    changes: true,
    input: withStoredPerson({
      after_stays: z
        .boolean()
        .default(false)
        .describe('leave the account and the bookings that are not over'),
      account_gone: z
        .boolean()
        .default(false)
        .describe('the account at the identity provider was deleted by hand'),
    }),
    run: (place, wanted) => erasePerson(place, wanted),
    dryRun: (place, wanted) => previewErasure(place, wanted),
  }),
};
