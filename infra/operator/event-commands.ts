import * as z from 'zod';
import { eventTypes } from '../../shared/events.ts';
import { invalid } from '../../shared/platform/errors.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { dayMs } from '../../shared/platform/time/time.ts';
import { defineCommand, type CommandContext } from './command.ts';
import { endOf, timeFlags } from './fields.ts';
import { countOne } from './stored-items.ts';

/** Consumers remember handled events for 30 days and would handle older ones again. */
export const oldestMs = 29 * dayMs;

const Republish = z.strictObject({
  ...timeFlags,
  event_type: z.array(z.enum(eventTypes)).optional().describe('<type> of these alone; may be repeated'),
});
type Republish = z.output<typeof Republish>;

interface Found {
  from: string;
  to: string;
  by_type: Record<string, number>;
}

export const eventCommands = {
  republish: defineCommand<Republish>({
    summary: 'Publishes the events of a time on the bus again; consumers handle each one once',
    changes: true,
    input: Republish,
    run: async (place, input) => {
      const { events, ...found } = await find(place, input);
      await place.outbox.publish(events);
      return { ...found, published: events.length };
    },
    dryRun: async (place, input) => {
      const { events, ...found } = await find(place, input);
      return { ...found, would_publish: events.length };
    },
  }),
};

const find = async (
  { deps, outbox }: CommandContext,
  { event_type, ...time }: Republish,
): Promise<Found & { events: EventMessage[] }> => {
  const { from } = time;
  if (Date.parse(from) < deps.clock.now() - oldestMs)
    throw invalid({
      path: 'from',
      message: '--from may lie at most 29 days back: consumers would handle older events again.',
    });
  const to = endOf(time, deps.clock.now());
  const all = await outbox.find({ from, to });
  const events = event_type
    ? all.filter((event) => (event_type as string[]).includes(event.event_type))
    : all;
  const by_type: Found['by_type'] = {};
  for (const event of events) countOne(by_type, event.event_type);
  return { from, to, by_type, events };
};
