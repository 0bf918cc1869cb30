import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { type Queues, startQueues } from '../../infra/local/queues/index.ts';
import type { CommandContext } from '../../infra/operator/command.ts';
import { localDeadLetters } from '../../infra/operator/connect.ts';
import { type DeadLetter, deadLetterQueues } from '../../infra/operator/dead-letters.ts';
import { createOutbox } from '../../infra/operator/outbox.ts';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import { operate } from '../../infra/operator/operate.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { deadLetterQueueName } from '../../shared/platform/events/queues.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { workQueues } from '../../shared/schedules.ts';
import { queueEvent } from '../support/events.ts';
import { testDependencies } from '../support/table.ts';
import { waitUntil } from '../support/wait-until.ts';
import { noRecovery } from '../support/recovery.ts';

const rows = [...subscriptions, ...workQueues];
const message = (id: string): EventMessage => ({
  id,
  event_type: 'booking.created',
  occurred_at: '2027-01-15T03:00:00.000Z',
  team_id: 71,
  actor: 'user:1',
  data: { id: 17 },
});
const bodyOf = (id: string): string => queueEvent(message(id)).Records[0]!.body;
const target = () => Promise.resolve('this test');
const items = createStoredItems('none');
const outbox = createOutbox({ items, busName: 'none' });

describe('the dead-letter queues of a laptop', () => {
  let queues: Queues;
  let place: CommandContext;
  beforeEach(async () => {
    queues = await startQueues({ queues: rows, log: () => undefined });
    const deps = await testDependencies();
    place = {
      deps,
      stage: 'local',
      apiUrl: () => 'https://api.example.com',
      deadLetters: localDeadLetters(queues.endpoint),
      operator: () => Promise.resolve('operator of this test'),
      target,
      outbox,
      items,
      recovery: noRecovery,
    };
  });
  afterEach(() => queues.stop());

  const operator = async (line: string): Promise<Record<string, unknown>> => {
    const { exitCode, stdout, stderr } = await operate(line.split(' '), () => place);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const depthOf = (queue: string) => queues.depths().find(({ name }) => name === queue);
  const giveUp = async (queue: string, ...bodies: string[]): Promise<void> => {
    for (const body of bodies) await queues.send(queue, body);
    const poller = queues.poll(queue, {
      pauseSeconds: () => 0,
      handler: () => Promise.reject(new Error('poison')),
    });
    await waitUntil('all are given up', () => depthOf(queue)?.dead_letters === bodies.length);
    await poller.stop();
  };
  const receivedFrom = async (queue: string): Promise<string[]> => {
    const bodies: string[] = [];
    const poller = queues.poll(queue, {
      handler: async ({ Records }) => void bodies.push(...Records.map(({ body }) => body)),
    });
    await waitUntil('the queue is empty', () => {
      const { depth, in_flight } = depthOf(queue)!;
      return depth + in_flight === 0;
    });
    await poller.stop();
    return bodies.toSorted();
  };

  it('are counted, each by its queue', async () => {
    await giveUp('chat', bodyOf('evt_1'), bodyOf('evt_2'));
    expect(await operator('dead-letters list')).toEqual({
      items: rows.map(({ consumer }) => ({ queue: consumer, messages: consumer === 'chat' ? 2 : 0 })),
    });
  });

  it('show their first messages and keep them, as often as one looks', async () => {
    const bodies = Array.from({ length: 12 }, (_, at) => bodyOf(`evt_${at}`));
    await giveUp('chat', ...bodies);
    for (const look of [1, 2]) {
      const { queue, messages, items } = await operator('dead-letters list --queue chat');
      expect({ look, queue, messages }).toEqual({ look, queue: 'chat', messages: 12 });
      expect(items).toHaveLength(10);
      for (const item of items as DeadLetter[]) {
        expect(item.event_type).toBe('booking.created');
        expect(item.event_id).toMatch(/^evt_/);
        expect(item.receives).toBeGreaterThanOrEqual(5);
        expect(item.body).toBeUndefined();
      }
    }
    expect(depthOf('chat')?.dead_letters).toBe(12);
  });

  it('show the text of what is no event', async () => {
    await giveUp('calendar-sync', '{"listing_id":17}', 'no json');
    const { items } = await operator('dead-letters list --queue calendar-sync');
    const shown = (items as DeadLetter[]).map(({ event_type, body }) => ({ event_type, body }));
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual({ event_type: null, body: '{"listing_id":17}' });
    expect(shown).toContainEqual({ event_type: null, body: 'no json' });
  });

  it('go back into their queue, every one once', async () => {
    const bodies = Array.from({ length: 23 }, (_, at) => bodyOf(`evt_${at}`)).toSorted();
    await giveUp('chat', ...bodies);
    const line = 'dead-letters redrive --queue chat';
    expect(await operator(`${line} --dry-run`)).toEqual({ dry_run: true, queue: 'chat', would_move: 23 });
    expect(depthOf('chat')).toMatchObject({ depth: 0, dead_letters: 23 });
    expect(await operator(line)).toEqual({ queue: 'chat', moved: 23 });
    expect(depthOf('chat')).toMatchObject({ depth: 23, dead_letters: 0 });
    expect(await receivedFrom('chat')).toEqual(bodies);
    expect(await operator(line)).toEqual({ queue: 'chat', moved: 0 });
  });

  it('lose nothing when the tool dies between the two queues', async () => {
    await giveUp('chat', bodyOf('evt_1'));
    const client = new SQSClient({ ...awsConfig(queues.endpoint), useQueueUrlAsEndpoint: false });
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          commandName === DeleteMessageCommand.name ? Promise.reject(new Error('died')) : next(args),
      { step: 'initialize' },
    );
    const dying = deadLetterQueues({ client, nameOf: (queue) => queue, moves: 'one-by-one' });
    await expect(dying.redrive('chat')).rejects.toThrow('died');
    client.destroy();
    expect(await receivedFrom('chat')).toEqual([bodyOf('evt_1')]);
    expect(await place.deadLetters.depth('chat')).toEqual({ queue: 'chat', messages: 1 });
  });
});

describe('the dead-letter queues of a stage', () => {
  const client = new SQSClient({});
  const sqs = mockClient(client);
  const arn = (name: string) => `arn:aws:sqs:ap-southeast-1:123456789012:${name}`;
  const nameOf = (queue: string) => `nightlatch-staging-${queue}`;
  const dead = arn(nameOf(deadLetterQueueName('chat')));
  beforeEach(() => {
    sqs.reset();
    sqs.on(GetQueueUrlCommand).callsFake(({ QueueName }: { QueueName: string }) => ({ QueueUrl: QueueName }));
    sqs
      .on(GetQueueAttributesCommand, { AttributeNames: ['QueueArn'] })
      .callsFake(({ QueueUrl }: { QueueUrl: string }) => ({ Attributes: { QueueArn: arn(QueueUrl) } }));
    sqs.on(StartMessageMoveTaskCommand).resolves({ TaskHandle: 'task' });
  });
  const staging = () => deadLetterQueues({ client, nameOf, moves: 'by-task' });

  it('are emptied by AWS, into the queue that they belong to', async () => {
    sqs
      .on(ListMessageMoveTasksCommand)
      .resolvesOnce({ Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 9 }] })
      .resolves({
        Results: [
          { Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 0, ApproximateNumberOfMessagesToMove: 3 },
        ],
      });
    expect(await staging().redrive('chat')).toEqual({
      queue: 'chat',
      task: { status: 'RUNNING', moved: 0, to_move: 3, started: true },
    });
    const [start] = sqs.commandCalls(StartMessageMoveTaskCommand);
    expect(start?.args[0].input).toEqual({ SourceArn: dead, DestinationArn: arn(nameOf('chat')) });
  });

  it('are left to a task that is at it already', async () => {
    sqs.on(ListMessageMoveTasksCommand).resolves({
      Results: [
        { Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 2, ApproximateNumberOfMessagesToMove: 3 },
      ],
    });
    expect(await staging().redrive('chat')).toEqual({
      queue: 'chat',
      task: { status: 'RUNNING', moved: 2, to_move: 3, started: false },
    });
    expect(sqs.commandCalls(StartMessageMoveTaskCommand)).toEqual([]);
  });

  it('are counted with that of the table stream, which only AWS has', async () => {
    sqs.on(GetQueueAttributesCommand).resolves({
      Attributes: { ApproximateNumberOfMessages: '2', ApproximateNumberOfMessagesNotVisible: '1' },
    });
    const place = {
      deps: await testDependencies(),
      stage: 'staging',
      apiUrl: () => 'https://api.example.com',
      deadLetters: staging(),
      operator: () => Promise.resolve('operator of this test'),
      target,
      outbox,
      items,
      recovery: noRecovery,
    };
    const { stdout } = await operate(['dead-letters', 'list'], () => place);
    const names = [...rows.map(({ consumer }) => consumer), 'publisher'];
    expect(JSON.parse(stdout)).toEqual({ items: names.map((queue) => ({ queue, messages: 3 })) });
    const asked = sqs.commandCalls(GetQueueUrlCommand).map(({ args: [{ input }] }) => input.QueueName);
    expect(asked).toEqual(names.map((queue) => nameOf(deadLetterQueueName(queue))));
  });
});
