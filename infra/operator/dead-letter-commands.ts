import * as z from 'zod';
import { workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { defineCommand } from './command.ts';

const queues = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);
/** The publisher's dead letters refer to stream records on AWS and cannot be redriven. */
const publisher = 'publisher';

const queueMeaning = `<${queues.join('|')}>`;

export const deadLetterCommands = {
  list: defineCommand({
    summary: 'Counts the messages in dead-letter queues, or shows the first ones of a queue',
    changes: false,
    input: z.strictObject({
      queue: z
        .enum([...queues, publisher])
        .optional()
        .describe(`${queueMeaning} whose first messages are shown`),
    }),
    run: async ({ deadLetters, stage }, { queue }) => {
      if (queue !== undefined)
        return { ...(await deadLetters.depth(queue)), items: await deadLetters.peek(queue) };
      const all = stage === 'local' ? queues : [...queues, publisher];
      return { items: await Promise.all(all.map((one) => deadLetters.depth(one))) };
    },
  }),
  redrive: defineCommand({
    summary: 'Moves messages from a dead-letter queue back to its queue',
    changes: true,
    input: z.strictObject({ queue: z.enum(queues).describe(queueMeaning) }),
    run: ({ deadLetters }, { queue }) => deadLetters.redrive(queue),
    dryRun: async ({ deadLetters }, { queue }) => {
      const { messages } = await deadLetters.depth(queue);
      return { queue, would_move: messages };
    },
  }),
};
