import * as z from 'zod';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { defineCommand } from './command.ts';

const queues = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);
/** Of the table's stream, which only AWS has: what ends here names a part of the stream and fits into no queue. */
const publisher = 'publisher';

const queueMeaning = `<${queues.join('|')}>`;

export const deadLetterCommands = {
  list: defineCommand({
    summary: 'Counts the messages that were given up, or shows the first of a queue',
    changes: false,
    options: { queue: { type: 'string', meaning: `${queueMeaning} whose first messages are shown` } },
    input: z.strictObject({ queue: z.enum([...queues, publisher]).optional() }),
    run: async ({ deadLetters, stage }, { queue }) => {
      if (queue !== undefined)
        return { ...(await deadLetters.depth(queue)), items: await deadLetters.look(queue) };
      const all = stage === 'local' ? queues : [...queues, publisher];
      return { items: await Promise.all(all.map((one) => deadLetters.depth(one))) };
    },
  }),
  redrive: defineCommand({
    summary: 'Moves the messages that were given up back into their queue',
    changes: true,
    options: { queue: { type: 'string', meaning: queueMeaning, required: true } },
    input: z.strictObject({ queue: z.enum(queues) }),
    run: ({ deadLetters }, { queue }) => deadLetters.redrive(queue),
    rehearse: async ({ deadLetters }, { queue }) => {
      const { messages } = await deadLetters.depth(queue);
      return { queue, would_move: messages };
    },
  }),
};
