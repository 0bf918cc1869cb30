import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id } from '../../platform/schema/schema.ts';

const Customer = z.object({ id: Id.meta({ description: 'The customer: a user id.' }) });

export const customerEvents = {
  'customer.registered': defineEvent({
    meaning: 'A person has an account now.',
    data: Customer.extend({
      team_ids: z
        .array(Id)
        .meta({ description: "The teams of the partner's key; empty: no partner's customer." }),
    }),
    partners: Customer,
    example: { id: 5312, team_ids: [71] },
  }),
} as const;
