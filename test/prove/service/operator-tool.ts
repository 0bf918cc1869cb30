import { Writable } from 'node:stream';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { CommandContext } from '../../../infra/operator/command.ts';
import type { DeadLetters } from '../../../infra/operator/dead-letters.ts';
import { operate, type Outcome } from '../../../infra/operator/operate.ts';
import { processStreams, type StandardStreams } from '../../../infra/operator/standard-streams.ts';
import type { Outbox } from '../../../infra/operator/outbox.ts';
import { EventEntity, type EventMessage } from '../../../shared/platform/events/index.ts';
import { holds, parseCondition } from '../memory/condition.ts';
import type { Item } from '../memory/values.ts';
import { dependenciesOf, type Outside } from './functions.ts';
import { noRecovery } from '../../support/recovery.ts';
import type { Machine } from './machine.ts';

/** The operator's tool on the simulated service: commands as they are; how it finds queues and events is simulated. */
export const operatorFunction = (machine: Machine, outside: Outside) => {
  const context: CommandContext = {
    deps: dependenciesOf(machine, outside),
    stage: 'test',
    apiUrl: () => 'https://api.example.com',
    deadLetters: deadLettersOf(machine, outside),
    outbox: outboxOf(machine, outside),
    items: {
      scan: async (selection, take) => {
        const all = await asking(machine, 'scan', () => outside.table.items());
        const items = all.filter(selectedBy(selection)).map((item) => marshall(item));
        await take({ items, read: all.length });
      },
    },
    recovery: noRecovery,
    operator: () => Promise.resolve('operator of this test'),
    target: async () => 'the simulated service',
  };
  return (args: readonly string[]): Promise<Outcome> => operate(args, () => context, quiet);
};

/** What it says of changes that it could not record is of a fault that was meant. */
const quiet: StandardStreams = {
  ...processStreams,
  error: new Writable({ write: (_chunk, _encoding, done) => done() }),
};

type Selection = Parameters<CommandContext['items']['scan']>[0];

const selectedBy = (selection: Selection): ((item: Item) => boolean) => {
  const { FilterExpression: filter, ExpressionAttributeNames: names, ExpressionAttributeValues } = selection;
  if (filter === undefined) return () => true;
  const { condition } = parseCondition('FilterExpression', filter);
  const values = unmarshall(ExpressionAttributeValues ?? {});
  return (item) => holds(condition, item, { names, values } as Parameters<typeof holds>[2]);
};

const asking = <Answer>(machine: Machine, what: string, act: () => Answer): Promise<Answer> => {
  const failure = () => new Error(`${what} failed`);
  return machine.call<Answer>({ place: 'queue', what, act, refusal: failure, silence: failure });
};

const deadLettersOf = (machine: Machine, { queue }: Outside): DeadLetters => ({
  depth: (name) =>
    asking(machine, 'depth', () => ({
      queue: name,
      // The publisher reads the stream; its batches are repeated until they are handled.
      messages: name === 'publisher' ? 0 : queue(name).deadLetters.length,
    })),
  peek: async () => [],
  rewrite: (name, change) =>
    asking(machine, 'rewrite', () => {
      const bodies = queue(name).deadLetters;
      const before = bodies.splice(0);
      bodies.push(...before.map(change));
      return bodies.filter((body, at) => body !== before[at]).length;
    }),
  redrive: (name) => asking(machine, 'redrive', () => ({ queue: name, moved: queue(name).redrive() })),
});

const outboxOf = (machine: Machine, { table, publish }: Outside): Outbox => ({
  find: async ({ from, to }) =>
    (table.items() as unknown as (EventMessage & { entity: string })[])
      .filter(
        ({ entity, occurred_at }) => entity === EventEntity.name && occurred_at >= from && occurred_at <= to,
      )
      .map(({ id, event_type, occurred_at, team_id, actor, data }) => ({
        ...{ id, event_type, occurred_at, team_id, actor, data },
      })),
  publish: async (events) => {
    for (const event of events)
      await asking(machine, 'publish', () => publish(event.event_type, JSON.stringify(event)));
  },
});
