import { retryWebhooks } from '../../functions/schedules/retry-webhooks/index.ts';
import { webhooks } from '../../functions/webhooks/index.ts';
import { webhooksRoutes } from '../../functions/webhooks/routes.ts';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { deliveryWorker } from '../../shared/deliver-webhooks.ts';
import type {
  DeliveryDependencies,
  DeliveryMessage,
  PostWebhook,
} from '../../shared/domain/webhook/delivery.store.ts';
import type { EventOf, PublicEventType } from '../../shared/events.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { instantText, machineClock } from '../../shared/platform/time/clock.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import type { Resolve } from '../../shared/platform/outgoing/index.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { queueEvent } from './events.ts';
import { groupCalls } from './group-calls.ts';
import { freshId, type TestDependencies, testDependencies, testKey, testTeam } from './table.ts';

interface Sent {
  url: string;
  headers: Record<string, string>;
  text: string;
  body: { event_type: string; id: string; team_id: number; occurred_at: string; data: { id: number } };
}

type Answer = (sent: Sent) => Promise<{ status: number }> | { status: number };

/** DNS of the tests: every host has the same public address, except these. */
const places: Record<string, string> = { 'inside.example.com': '10.0.0.7' };
const resolve: Resolve = async (host) => [{ address: places[host] ?? '93.184.215.14', family: 4 }];

interface Waiting extends DeliveryMessage {
  readyAt: number;
}

const queueOf = (deps: TestDependencies) => {
  const waiting: Waiting[] = [];
  return {
    waiting: async () => waiting.length,
    send: async (messages: readonly DeliveryMessage[], { delaySeconds = 0 } = {}) =>
      void waiting.push(
        ...messages.map((message) => ({ ...message, readyAt: deps.clock.now() + delaySeconds * 1000 })),
      ),
    /** Takes the visible messages, as a queue delivers them. */
    take: () => {
      const ready = waiting.filter(({ readyAt }) => readyAt <= deps.clock.now());
      for (const message of ready) waiting.splice(waiting.indexOf(message), 1);
      return ready;
    },
  };
};

/** Creates a partner with a key of some teams, endpoints with scripted responses, and the delivery of events to them. */
export const webhookScene = async ({ teams = 1 }: { teams?: number } = {}) => {
  const deps = await testDependencies();
  const team_ids: number[] = [];
  for (let at = 0; at < teams; at++) team_ids.push((await testTeam(deps)).team_id);
  const key = await testKey(deps, { team_ids });
  const sent: Sent[] = [];
  const endpoint: { answer: Answer } = { answer: () => ({ status: 204 }) };
  const post: PostWebhook = async (url, { headers, body }) => {
    const one = { url, headers, text: body, body: JSON.parse(body) as Sent['body'] };
    sent.push(one);
    return endpoint.answer(one);
  };
  const first = queueOf(deps);
  const second = queueOf(deps);
  const calls = groupCalls(
    webhooks(() => deps, { post, signingClock: machineClock, address: () => ({ local: false, resolve }) }),
    webhooksRoutes,
  );
  const given = { ...deps, post, signingClock: machineClock };
  const lane = (name: DeliveryDependencies['lane']) =>
    deliveryWorker(() => ({ ...given, lane: name, second }));
  const handle = async (name: DeliveryDependencies['lane'], messages: readonly DeliveryMessage[]) => {
    if (messages.length === 0) return 0;
    const answer = await lane(name)(queueEvent(...messages.map((message) => JSON.stringify(message))));
    return answer.batchItemFailures.length;
  };
  const scene = {
    deps,
    key,
    caller: key.caller,
    team_ids,
    team_id: team_ids[0]!,
    sent,
    endpoint,
    post,
    first,
    second,
    ...calls,
    handle,
    register: (given: object = {}, who: PartnerCaller = key.caller) =>
      calls.ok(who, 'createWebhook', {
        body: { url: 'https://partner.example.com/hooks', event_types: ['booking.created'], ...given },
      }),
    event: (given: Partial<EventMessage> = {}) =>
      ({
        id: newEventId(deps.clock),
        event_type: 'booking.created',
        occurred_at: instantText(deps.clock.now()),
        team_id: team_ids[0]!,
        actor: 'user:1',
        data: {
          id: freshId(),
          master_reservation_id: freshId(),
          listing_id: freshId(),
          state: 'CONFIRMED',
          payment_status: 'PENDING',
          check_in_date: '2027-02-04',
          check_out_date: '2027-02-07',
          guest_number: 2,
          total_price: 3_300_000,
          currency: 'VND',
          external_system: 'stayhub',
          external_booking_id: 'SH-2027-0042',
        },
        ...given,
      }) as EventOf<PublicEventType>,
    /** Delivers events to the worker; returns the number of failures. */
    deliver: async (...events: EventMessage[]) =>
      (await webhookWorker(() => ({ ...deps, deliveries: first }))(queueEvent(...events))).batchItemFailures
        .length,
    /** Delivers an event over another table. */
    deliverOver: (table: Table, event: EventOf<PublicEventType>) =>
      appendEvent({ ...deps, table, deliveries: first }, event),
    /** Processes both queues until empty; returns the number of failures. */
    work: async () => {
      let failures = 0;
      for (let some = true; some;) {
        const [one, two] = [first.take(), second.take()];
        some = one.length + two.length > 0;
        failures += (await handle('first', one)) + (await handle('second', two));
      }
      return failures;
    },
    /** Runs the retry schedule for the partner of this scene. */
    tick: async () => {
      const own = {
        waiting: async () => 0,
        send: (messages: readonly DeliveryMessage[]) =>
          second.send(messages.filter(({ key_id }) => key_id === key.caller.key_id)),
      };
      await retryWebhooks(() => ({ ...deps, queue: own }))();
      return scene.work();
    },
    deliveries: async (webhook_id: number) =>
      (await calls.ok(key.caller, 'listWebhookDeliveries', { params: { webhook_id } })).items,
    webhook: (webhook_id: number) => calls.ok(key.caller, 'getWebhook', { params: { webhook_id } }),
  };
  return scene;
};

export type WebhookScene = Awaited<ReturnType<typeof webhookScene>>;
