import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { publisher } from '../../functions/workers/publisher/index.ts';
import type { DomainEvent, EventMessage } from '../../shared/platform/events/index.ts';
import { logOf } from '../../shared/platform/metrics/log.ts';
import { streamEvent } from '../support/events.ts';

const bus = mockClient(EventBridgeClient);
const publish = publisher(() => ({
  bus: bus,
  busName: 'test-bus',
  log: logOf({ level: 'SILENT' }),
}));

const events = (count: number, data: object = {}): DomainEvent[] =>
  Array.from({ length: count }, (_, position) => ({
    subject: 'ORDER#16',
    id: `evt_${position + 1}`,
    event_type: 'booking.created',
    occurred_at: '2027-01-15T03:00:00.000Z',
    team_id: 71,
    actor: 'user:1',
    data: { id: 17 + position, ...data },
  }));

const requests = () => bus.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);
const published = () =>
  requests()
    .flat()
    .map(({ Detail = '' }) => JSON.parse(Detail) as EventMessage);

/** A bus that takes every entry but those with the ids named. */
const refusing = (...ids: string[]) =>
  bus.on(PutEventsCommand).callsFake(({ Entries }: { Entries: { Detail: string }[] }) => ({
    Entries: Entries.map(({ Detail }): PutEventsResultEntry =>
      ids.includes((JSON.parse(Detail) as EventMessage).id)
        ? { ErrorCode: 'ThrottlingException' }
        : { EventId: 'published' },
    ),
  }));

beforeEach(() => {
  bus.reset();
  refusing();
});

describe('publisher', () => {
  it('publishes each event as consumers know it, ten a request, in the order of the stream', async () => {
    expect(await publish(streamEvent(...events(23)))).toEqual({ batchItemFailures: [] });
    expect(requests().map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(published().map(({ id }) => id)).toEqual(events(23).map(({ id }) => id));
    expect(requests()[0]?.[0]).toMatchObject({
      EventBusName: 'test-bus',
      Source: 'nightlatch',
      DetailType: 'booking.created',
    });
    expect({ subject: 'ORDER#16', ...published()[0] }).toEqual(events(1)[0]);
  });

  it('stops at the first event that is refused and names it, so that order holds', async () => {
    refusing('evt_14', 'evt_16');
    expect(await publish(streamEvent(...events(30)))).toEqual({
      batchItemFailures: [{ itemIdentifier: '14' }],
    });
    expect(requests()).toHaveLength(2);
  });

  it('names the first event of a request that is lost', async () => {
    bus
      .on(PutEventsCommand)
      .resolvesOnce({ Entries: Array.from({ length: 10 }, () => ({ EventId: 'published' })) })
      .rejects(new Error('down'));
    expect(await publish(streamEvent(...events(12)))).toEqual({
      batchItemFailures: [{ itemIdentifier: '11' }],
    });
  });

  it('keeps each request below what the bus takes', async () => {
    await publish(streamEvent(...events(8, { note: 'Đ'.repeat(40_000) })));
    expect(requests().map(({ length }) => length)).toEqual([3, 3, 2]);
    for (const entries of requests())
      expect(Buffer.byteLength(entries.map(({ Detail }) => Detail).join(''))).toBeLessThan(256 * 1024);
  });

  it('publishes an event that no request could hold by its id alone', async () => {
    await publish(streamEvent(...events(1, { note: 'Đ'.repeat(150_000) })));
    expect(published()[0]).toMatchObject({ id: 'evt_1', data: { id: 17, shortened: true } });
  });

  it.each(['occurred_at', 'event_type'])(
    'fails the batch of an event without %s, so that halving it leaves that record alone',
    async (field) => {
      const batch = streamEvent(...events(23)).Records;
      Reflect.deleteProperty(batch[13]!.dynamodb!.NewImage!, field);
      const failed: string[] = [];
      /** What Lambda does with a batch whose function has failed, where BisectBatchOnFunctionError is true. */
      const halve = async (Records: typeof batch): Promise<void> => {
        try {
          await publish({ Records });
        } catch (error) {
          if (Records.length === 1) return void failed.push((error as Error).message);
          const middle = Math.floor(Records.length / 2);
          await halve(Records.slice(0, middle));
          await halve(Records.slice(middle));
        }
      };
      await halve(batch);
      expect(failed).toEqual(['The record 14 is no event: evt_14.']);
      expect(published().map(({ id }) => id)).toEqual(
        events(23)
          .map(({ id }) => id)
          .filter((id) => id !== 'evt_14'),
      );
    },
  );

  it('passes over whatever is no new event', async () => {
    const { Records } = streamEvent(...events(3));
    Records[0]!.eventName = 'REMOVE';
    Records[1]!.dynamodb!.NewImage!['entity'] = { S: 'Order' };
    await publish({ Records });
    expect(published().map(({ id }) => id)).toEqual(['evt_3']);
  });
});
