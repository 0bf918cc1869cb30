import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { PutCommand } from '../../../shared/platform/dynamodb/index.ts';
import { SimulatedTable } from '../memory/simulated-table.ts';
import { Simulation } from './simulation.ts';
import { Stream } from './stream.ts';

const hourMs = 3_600_000;

it('publishes an event although records before it were deleted unread', async () => {
  const sim = new Simulation(1);
  const time = { now: () => sim.now(), sleep: (ms: number) => sim.sleep(ms) };
  const manners = { streamLag: { rate: 0, ms: 0 } };
  const table = new SimulatedTable({ time, random: sim.random, manners, hasStream: true });
  const published: string[] = [];
  const publisher = {
    invoke: async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
      for (const { dynamodb } of Records) published.push(String(dynamodb?.NewImage?.['sk']?.S));
      return { batchItemFailures: [] };
    },
  };
  const stream = new Stream(sim, () => table.stream, publisher);
  const put = async (sk: string, entity: string): Promise<void> => {
    await table.execute(new PutCommand({ TableName: 'service', Item: { pk: 'a', sk, entity } }));
  };
  const pass = (ms: number): Promise<void> => sim.runUntil(sim.now() + ms);

  await put('first', 'Event');
  stream.wake();
  await pass(10_000);
  await put('unread', 'HandledEvent');
  await pass(25 * hourMs);
  await put('second', 'Event');
  stream.wake();
  await pass(10_000);
  expect(published).toEqual(['first', 'second']);
});
