import { expect, it } from 'vitest';
import type { Cloud } from './cloud.ts';
import { stuckProblems } from './judge/rest.ts';
import { Queue } from './queue.ts';
import { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

const minuteMs = 60_000;

it('a message waits too long once a worker might have received it 11 minutes ago', async () => {
  const sim = new Simulation(1);
  const calm = { happens: () => false } as unknown as Weather;
  const failing = { invoke: () => Promise.reject(new Error('out of order')) } as never;
  const settings = { name: 'chat', batchSize: 10, maxReceives: 99, visibilityMs: minuteMs, atOnce: 1 };
  const queue = new Queue(sim, calm, failing, settings);
  const problems = () =>
    stuckProblems([], { queues: new Map([['chat', queue]]) } as unknown as Cloud, sim.now());
  const pass = (minutes: number) => sim.runUntil(sim.now() + minutes * minuteMs);
  queue.send('{}');
  queue.send('{}', 20 * minuteMs);
  await pass(10);
  expect(problems()).toEqual([]);
  await pass(2);
  expect(problems()).toEqual(['1 messages wait in chat']);
  await pass(18);
  expect(problems()).toEqual(['1 messages wait in chat']);
  await pass(2);
  expect(problems()).toEqual(['2 messages wait in chat']);
});
