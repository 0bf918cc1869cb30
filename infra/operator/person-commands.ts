import * as z from 'zod';
import { type CommandPlace, defineCommand } from './command.ts';
import { withPerson } from './fields.ts';
import { type Erasing, erasePerson, previewErasure } from './person/erase-person.ts';
import { exportPerson } from './person/export-person.ts';
import { progressOn } from './standard-streams.ts';

const placeOf = ({ deps, items, deadLetters, streams }: CommandPlace): Erasing => ({
  ...{ deps, items, deadLetters },
  progress: progressOn(streams),
});

/** Commands for the rights of a person. They read the whole table. */
export const personCommands = {
  export: defineCommand({
    summary: 'Prints what is stored of a person, without credentials',
    changes: false,
    input: withPerson({}),
    run: (place, { person }) => exportPerson(placeOf(place), person),
  }),
  erase: defineCommand({
    summary: 'Erases what is stored of a person; what was booked and paid stays, without a name',
    changes: true,
    input: withPerson({
      after_stays: z
        .boolean()
        .default(false)
        .describe('leave the account and the bookings that are not over'),
      account_gone: z
        .boolean()
        .default(false)
        .describe('the account at the identity provider was deleted by hand'),
    }),
    run: (place, wanted) => erasePerson(placeOf(place), wanted),
    dryRun: (place, wanted) => previewErasure(placeOf(place), wanted),
  }),
};
