import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { localDeadLetters } from '../../infra/operator/connect.ts';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { refundsWorker } from '../../functions/workers/refunds/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { logOf } from '../../shared/platform/metrics/log.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { sesMailer } from '../../shared/platform/mail/ses-mailer.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import { answerOf, playOperator } from '../support/operator.ts';
import { key, stay } from '../support/order-scene.ts';
import { itemsWith, personScene, type PersonScene } from '../support/person-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const workers = {
  notification: notificationWorker,
  chat: chatWorker,
  refunds: refundsWorker,
  ical: icalWorker,
  webhook: webhookWorker,
  'search-index': searchIndexWorker,
  'list-index': listIndexWorker,
} satisfies Record<(typeof subscriptions)[number]['consumer'], unknown>;

let s: PersonScene;
let queues: Queues;
/** Everything that was logged, at the most detailed level. */
let logged: string;
let ses: ReturnType<typeof mockClient>;

beforeEach(async () => {
  queues = await startQueues({ queues: subscriptions, log: () => undefined });
  s = await personScene();
  logged = '';
  s.deps.log = logOf({ level: 'DEBUG', write: (line) => (logged += line) });
  ses = mockClient(SESv2Client);
});
afterEach(async () => {
  ses.restore();
  vi.useRealTimers();
  await queues.stop();
});

const marks = () => Object.values(s.marks);
const holding = (texts: readonly string[]): string[] =>
  texts.filter((text) => marks().some((mark) => text.toLowerCase().includes(mark.toLowerCase())));

/** Every event of the person's bookings and review. */
const allEvents = async () => {
  const subjects = Object.values(s.bookings).map((id) => `ORDER#${orderIdOf(id)}`);
  const found = await Promise.all(
    [...subjects, `REVIEW#${s.review.id}`].map((subject) => eventsOf(s.deps.table, subject)),
  );
  return found.flat();
};

type Consumer = keyof typeof workers;
const consumers = Object.keys(workers) as Consumer[];
const mailer = sesMailer(new SESv2Client({}), {
  MAIL_SENDER: 'stay@example.com',
  MAIL_CONFIGURATION_SET: 's',
});

const handle = (consumer: Consumer, deps: Dependencies) => {
  const given = { ...deps, mailer, deliveries: { send: async () => undefined } };
  return workers[consumer](() => given) as (event: SQSEvent) => Promise<object>;
};

/** The dependencies while the table does not answer. */
const broken = (): Dependencies => {
  const fail = () => Promise.reject(new Error('The table does not answer.'));
  const table: Table = new Proxy(s.deps.table, {
    get: (_, verb) => (verb === 'joiningReads' ? () => table : fail),
  });
  return { ...s.deps, table };
};

const typesOf = (consumer: Consumer): readonly string[] =>
  subscriptions.find((one) => one.consumer === consumer)?.event_types ?? [];

/** Sends every event to its consumers, which fail until they give up; returns how many are dead letters. */
const giveUp = async (): Promise<number> => {
  const events = await allEvents();
  const sent: Record<string, number> = {};
  const pollers = [];
  for (const consumer of consumers) {
    const own = events.filter(({ event_type }) => typesOf(consumer).includes(event_type));
    for (const event of own) await queues.send(consumer, queueEvent(event).Records[0]!.body);
    sent[consumer] = own.length;
    const work = handle(consumer, broken());
    const handler = async (event: SQSEvent): Promise<never> => {
      await work(event);
      throw new Error('It does not work today.');
    };
    pollers.push(queues.poll(consumer, { pauseSeconds: () => 0, handler }));
  }
  const isDead = ({ name, dead_letters }: { name: string; dead_letters: number }) =>
    dead_letters === (sent[name] ?? 0);
  await waitUntil('all are given up', () => queues.depths().every(isDead), 20_000);
  for (const poller of pollers) await poller.stop();
  return Object.values(sent).reduce((sum, count) => sum + count, 0);
};

const deadLetters = () => localDeadLetters(queues.endpoint);

/** The text of every dead letter, which stays where it is. */
const deadBodies = async (): Promise<string[]> => {
  const bodies: string[] = [];
  for (const consumer of consumers)
    await deadLetters().rewrite(consumer, (body) => {
      bodies.push(body);
      return body;
    });
  return bodies;
};

const erase = async (...who: string[]) =>
  answerOf<{ dead_letters: number; is_complete: boolean }>(
    await playOperator(s.deps, ['person', 'erase', ...who], { deadLetters: deadLetters() }),
  );
const byEmail = () => erase('--email', s.marks.email);

describe('of an erased person', { timeout: 60_000 }, () => {
  test('nothing is in a dead letter, each of which can still be moved back', async () => {
    const count = await giveUp();
    const before = await deadBodies();
    expect(before).toHaveLength(count);
    // The reason of a cancellation and the comment of a review, for each of their consumers.
    expect(holding(before).length).toBeGreaterThan(3);
    const { dead_letters } = await byEmail();
    expect(dead_letters).toBeGreaterThanOrEqual(holding(before).length);
    const after = await deadBodies();
    expect(after).toHaveLength(count);
    expect(holding(after)).toEqual([]);
    expect(queues.depths().map(({ depth, in_flight }) => depth + in_flight)).toEqual(consumers.map(() => 0));

    ses.on(SendEmailCommand).resolves({ MessageId: '1' });
    for (const consumer of consumers) {
      await deadLetters().redrive(consumer);
      const poller = queues.poll(consumer, { handler: handle(consumer, s.deps) as never });
      await waitUntil(`${consumer} has handled them`, () =>
        queues.depths().every((one) => one.name !== consumer || one.depth + one.in_flight === 0),
      );
      await poller.stop();
    }
    expect(queues.depths().map(({ dead_letters: dead }) => dead)).toEqual(consumers.map(() => 0));
    // Handled late, they bring nothing back.
    expect((await itemsWith(marks())).map((at) => at.split(' ')[0])).toEqual(['AvailabilityEntry']);
    expect(logged).not.toBe('');
    expect(holding([logged])).toEqual([]);
  });

  test('messages that are given up after the erasure go with its next run, by the id of the user', async () => {
    const events = await allEvents();
    await byEmail();
    for (const event of events)
      if (typesOf('webhook').includes(event.event_type))
        await queues.send('webhook-dead-letters', queueEvent(event).Records[0]!.body);
    expect(holding(await deadBodies())).not.toEqual([]);
    const again = await erase('--user', String(s.user.user_id));
    expect(again.dead_letters).toBeGreaterThan(0);
    expect(again.is_complete).toBe(false);
    expect(holding(await deadBodies())).toEqual([]);
    expect(await erase('--user', String(s.user.user_id))).toMatchObject({
      dead_letters: 0,
      is_complete: true,
    });
  });

  test('dead letters of others, and texts that are no events, stay as they are', async () => {
    const strange = ['no JSON', '{"detail":1}', '{"webhook_id":7}', 'null'];
    const own = (await allEvents())[0]!;
    const other = { ...own, data: { ...own.data, id: 17, master_reservation_id: 16, reason: 'Of another.' } };
    const bodies = [...strange, queueEvent(other).Records[0]!.body];
    for (const body of bodies) await queues.send('chat-dead-letters', body);
    expect((await byEmail()).dead_letters).toBe(0);
    expect((await deadBodies()).toSorted()).toEqual(bodies.toSorted());
  });
});

describe('the log', { timeout: 60_000 }, () => {
  test('has nothing of a person while consumers work, fail, and SES refuses the address', async () => {
    ses.on(SendEmailCommand).callsFake(({ Destination }: { Destination: { ToAddresses: string[] } }) => {
      const [to = ''] = Destination.ToAddresses;
      const message = `Email address is not verified. The following identities failed the check: ${to.toUpperCase()}, stay@example.com`;
      throw Object.assign(new Error(message), { name: 'MessageRejected' });
    });
    for (const consumer of consumers)
      for (const event of await allEvents())
        if (typesOf(consumer).includes(event.event_type))
          for (const deps of [s.deps, broken()]) await handle(consumer, deps)(queueEvent(event));
    expect(logged).toContain('MessageRejected');
    expect(logged).toContain('stay@example.com');
    expect(logged).toContain('The table does not answer.');
    expect(holding([logged])).toEqual([]);
  });

  test('has nothing of a person from requests that are refused or fail', async () => {
    const { full_name, phone, email, note, reason, question } = s.marks;
    const items = [stay(s.listing, { check_in_date: '2027-02-20', check_out_date: '2027-02-21' })];
    const body = { items, payment_method: 'CASH', note, guest_name: full_name };
    const statuses = [
      await s.confirm(s.me, { ...body, [email]: phone }, key('unknown-field')),
      await s.confirm(s.me, { ...body, items: [{ ...items[0], guest_number: phone }] }, key('wrong')),
      await s.cancel(s.me, s.bookings.over, { reason }, key('over')),
      await s.bookOut(
        { key: s.partner.api_key },
        { ...items[0], nights: 1, payment_method: question, guest_info: { full_name, phone, email } },
        key('external'),
      ),
    ].map(({ status }) => status);
    expect(statuses.every((status) => status >= 400)).toBe(true);
    s.faults.table = new Error('The table does not answer.');
    const failed = await s.confirm(s.me, { items, payment_method: 'CASH', note }, key('fails'));
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(logged).toContain('The table does not answer.');
    expect(holding([logged])).toEqual([]);
  });
});
