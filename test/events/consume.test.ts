import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { consume } from '../../shared/consume.ts';
import { bookingEvents } from '../../shared/domain/booking/booking.events.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import {
  AlreadyInProgress,
  markHandled,
  runOnce,
  unlessHandled,
} from '../../shared/platform/events/run-once.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { create, type Write } from '../../shared/platform/table/index.ts';
import { chatSubscription } from '../../shared/subscriptions.ts';
import { queueEvent } from '../support/events.ts';
import { freshId, testDependencies, type TestDependencies } from '../support/table.ts';

const message = (id = `evt_${freshId()}`): EventMessage => ({
  id,
  event_type: 'booking.created',
  occurred_at: '2027-01-15T03:00:00.000Z',
  team_id: 71,
  actor: 'user:1',
  data: { id: 17 },
});

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});

describe('consume', () => {
  it('gives each message of the batch to the consumer', async () => {
    const seen: string[] = [];
    const handler = consume(
      chatSubscription,
      bookingEvents,
      async (_, { id }) => void seen.push(id),
    )(() => deps);
    const messages = [message(), message(), message()];
    expect(await handler(queueEvent(...messages))).toEqual({ batchItemFailures: [] });
    expect(seen.sort()).toEqual(messages.map(({ id }) => id).sort());
  });

  it.each([
    ['no JSON', 'not json'],
    ['no envelope', '{"hello":"world"}'],
    ['no event of ours', JSON.stringify({ detail: { ...message(), event_type: 'booking.eaten' } })],
    ['not subscribed to', JSON.stringify({ detail: { ...message(), event_type: 'booking.cancelled' } })],
    ['no id', JSON.stringify({ detail: { ...message(), data: {} } })],
  ])('lets a message that is %s fail alone', async (_, poison) => {
    const seen: string[] = [];
    const handler = consume(
      chatSubscription,
      bookingEvents,
      async (__, { id }) => void seen.push(id),
    )(() => deps);
    const [one, other] = [message(), message()];
    const answer = await handler(queueEvent(one, poison, other));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }] });
    expect(seen.sort()).toEqual([one.id, other.id].sort());
  });

  it.each([
    [
      'a conflict',
      () => new AlreadyInProgress({ consumer: 'test', event_id: '', recipient: '' }),
      '1',
      'warn',
    ],
    [
      'a repeated conflict',
      () => new AlreadyInProgress({ consumer: 'test', event_id: '', recipient: '' }),
      '3',
      'error',
    ],
    ['a failure', () => new Error('down'), '1', 'error'],
  ] as const)('logs %s at its level', async (_, failure, receives, level) => {
    const own = await testDependencies();
    const levels: string[] = [];
    for (const one of ['warn', 'error'] as const)
      vi.spyOn(own.log, one).mockImplementation(() => void levels.push(one));
    const handler = consume(chatSubscription, bookingEvents, () => Promise.reject(failure()))(() => own);
    const event = queueEvent(message());
    event.Records[0]!.attributes.ApproximateReceiveCount = receives;
    expect((await handler(event)).batchItemFailures).toHaveLength(1);
    expect(levels).toEqual([level]);
  });

  it('gives a consumer what the type of an event declares, and nothing else', async () => {
    const seen: object[] = [];
    const handler = consume(
      chatSubscription,
      bookingEvents,
      async (_, { data }) => void seen.push(data),
    )(() => deps);
    const { log } = deps;
    const warned: string[] = [];
    const listening = consume(
      chatSubscription,
      bookingEvents,
      async (_, { data }) => void seen.push(data),
    )(() => ({
      ...deps,
      log: Object.assign(Object.create(log) as typeof log, {
        warn: (text: string) => void warned.push(text),
      }),
    }));
    await handler(queueEvent({ ...message(), data: { id: 17, listing_id: 4711, own: 'x' } }));
    await listening(queueEvent({ ...message(), data: { id: 17, listing_id: 'x', state: 'CONFIRMED' } }));
    expect(seen).toEqual([{ id: 17, listing_id: 4711 }, { id: 17 }]);
    expect(warned).toEqual(['The data of an event does not fit its type.']);
  });

  it('reports a batch of failures without failing itself', async () => {
    const handler = consume(chatSubscription, bookingEvents, () => Promise.reject(new Error('down')))(
      () => deps,
    );
    const answer = await handler(queueEvent(message(), message()));
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      'message-0',
      'message-1',
    ]);
  });
});

describe('a transaction with the mark of its event', () => {
  const effect = (team_id: number) => create(TeamEntity, { team_id, name: 'T', created_at: 'now' });
  const handling = (event_id: string) => ({ consumer: 'test', event_id, recipient: null });
  const commit = (mark: ReturnType<typeof handling>, writes: Write[]) =>
    unlessHandled(() => deps.table.transact([markHandled(mark, deps.clock.now()), ...writes]));

  it('commits the effect of an event once', async () => {
    const { id } = message();
    expect(await commit(handling(id), [effect(freshId())])).toBe(true);
    const second = freshId();
    expect(await commit(handling(id), [effect(second)])).toBe(false);
    expect(await deps.table.get(TeamEntity, { team_id: second })).toBeUndefined();
  });

  it('commits it once under twenty simultaneous deliveries', async () => {
    const { id } = message();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => commit(handling(id), [effect(freshId())])),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('keeps consumers apart', async () => {
    const { id } = message();
    await commit(handling(id), []);
    expect(await commit({ ...handling(id), consumer: 'other' }, [])).toBe(true);
  });

  it('leaves no mark when the effect is refused', async () => {
    const { id } = message();
    const team_id = freshId();
    await deps.table.transact([effect(team_id)]);
    await expect(commit(handling(id), [effect(team_id)])).rejects.toThrow('conflict on');
    expect(await commit(handling(id), [effect(freshId())])).toBe(true);
  });
});

describe('runOnce', () => {
  const handling = () => ({ consumer: 'test', event_id: message().id, recipient: 'user:1' });

  it('runs the effect once, however often it is asked', async () => {
    const what = handling();
    let runs = 0;
    const effect = async () => {
      runs++;
    };
    expect([await runOnce(deps, what, effect), await runOnce(deps, what, effect)]).toEqual([true, false]);
    expect(runs).toBe(1);
  });

  it('runs it once under simultaneous deliveries; the late one comes again', async () => {
    const what = handling();
    let runs = 0;
    const effect = async () => {
      runs++;
      await pause(100);
    };
    const outcomes = await Promise.allSettled([runOnce(deps, what, effect), runOnce(deps, what, effect)]);
    expect(runs).toBe(1);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(AlreadyInProgress)]);
    expect(await runOnce(deps, what, effect)).toBe(false);
  });

  it('gives the claim back when the effect fails', async () => {
    const what = handling();
    await expect(runOnce(deps, what, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await runOnce(deps, what, async () => undefined)).toBe(true);
  });

  it('lets the next delivery try when the process died in the middle, after the lease', async () => {
    const own = await testDependencies();
    const what = handling();
    await new Promise<void>((claimed) => {
      void runOnce(own, what, () => {
        claimed();
        return new Promise(() => undefined);
      });
    });
    await expect(runOnce(own, what, async () => undefined)).rejects.toThrow(AlreadyInProgress);
    own.clock.advance(60_000);
    expect(await runOnce(own, what, async () => undefined)).toBe(true);
  });

  it('lets the next delivery try when the clock was turned back since the process died', async () => {
    const own = await testDependencies();
    const start = instantText(own.clock.now());
    const what = handling();
    own.clock.advance(86_400_000);
    await new Promise<void>((claimed) => {
      void runOnce(own, what, () => {
        claimed();
        return new Promise(() => undefined);
      });
    });
    own.clock.set(start);
    expect(await runOnce(own, what, async () => undefined)).toBe(true);
    expect(await runOnce(own, what, async () => undefined)).toBe(false);
  });
});
