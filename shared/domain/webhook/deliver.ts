import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { SystemCaller } from '../../platform/auth.ts';
import { instantText, machineClock } from '../../platform/clock.ts';
import { environment } from '../../platform/environment.ts';
import { handleMessages } from '../../platform/events/handle-messages.ts';
import { queueClient, workQueue } from '../../platform/queue/work-queue.ts';
import { change, ConflictError, equals, retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { partnerTeams, partnerTeamsNow } from '../people/model.ts';
import { arrived, attempt, isGone, withAttempt } from './attempt.ts';
import {
  asItStands,
  type Attempt,
  deliveriesPartition,
  type DeliveringDependencies,
  type Delivery,
  type DeliveryMessage,
  messageOf,
  postHere,
  readWithWebhook,
  retryDelayMs,
  shortestLookMs,
} from './delivery.store.ts';
import { disableWebhook, recordHealth, type Webhook, WebhookEntity } from './webhook.store.ts';

interface Outcome {
  webhook: Webhook;
  /** As it was claimed. */
  delivery: Delivery;
  made: Attempt;
}

/** Keeps what came of an attempt by the plan: done, tried again later, or given up (D62). */
const recordOutcome = async (deps: DeliveringDependencies, outcome: Outcome): Promise<void> => {
  const { webhook, delivery, made } = outcome;
  const tries = delivery.tries + 1;
  const after = (changed: Partial<Delivery>) =>
    withAttempt(delivery, made, { tries, due_at: null, ...changed });
  const keep = (changed: Partial<Delivery>) => deps.table.put(asItStands(after(changed), delivery));
  if (arrived(made)) {
    await keep({ state: 'DELIVERED' });
    return recordHealth(deps, webhook, true);
  }
  if (isGone(made)) {
    await keep({ state: 'FAILED' });
    return disableWebhook(deps, webhook, made.error ?? '');
  }
  const delayMs = webhook.state === 'FAILING' ? undefined : retryDelayMs(tries);
  if (delayMs === undefined) return giveUp(deps, outcome, after({ state: 'FAILED' }));
  const due_at = deps.clock.now() + delayMs;
  await keep({ due_at, look_at: due_at, looks: 0 });
  await recordHealth(deps, webhook, false);
  if (delayMs < shortestLookMs)
    await deps.second.send([messageOf(delivery)], { delaySeconds: Math.ceil(delayMs / 1000) });
};

/** The owners of a team hear once a day at most that a webhook is failing. */
const toldEveryMs = 24 * 3_600_000;
const service: SystemCaller = { kind: 'system', name: 'webhook' };

/** The retries have run out: the webhook is FAILING, and an event tells its teams' owners, all in one transaction. */
const giveUp = (deps: DeliveringDependencies, { delivery, made }: Outcome, failed: Delivery): Promise<void> =>
  retryOnConflict(async () => {
    const { table, clock } = deps;
    const webhook = await table.get(WebhookEntity, delivery);
    if (webhook?.state !== 'ACTIVE') return table.put(asItStands(failed, delivery));
    const now = clock.now();
    const isTold = now - webhook.told_at < toldEveryMs;
    const problem = made.error ?? '';
    await table.transact([
      asItStands(failed, delivery),
      change(
        WebhookEntity,
        webhook,
        {
          set: {
            state: 'FAILING',
            problem,
            troubled_since: webhook.troubled_since ?? made.at,
            version: webhook.version + 1,
            updated_at: instantText(now),
            ...(isTold ? {} : { told_at: now }),
          },
        },
        { when: equals('version', webhook.version) },
      ),
      ...(isTold ? [] : [failing(deps, webhook, problem)]),
    ]);
  });

const failing = ({ clock }: Pick<DeliveringDependencies, 'clock'>, webhook: Webhook, problem: string) =>
  recordEvent(
    { clock, caller: service },
    {
      subject: deliveriesPartition(webhook.webhook_id),
      event_type: 'webhook.failing',
      team_id: webhook.team_ids[0] ?? null,
      data: {
        id: webhook.webhook_id,
        team_ids: webhook.team_ids,
        url: webhook.url,
        description: webhook.description,
        problem,
        troubled_since: webhook.troubled_since,
      },
    },
  );

/** Longer than an attempt may take: a dead one never blocks the next for long. */
const claimMs = 30_000;
/** A queue may hand a message over a moment early. */
const earlyMs = 1000;

/**
 * Makes the attempt of a delivery that is due, and keeps what came of it (D62). Sent at least once: a process that dies between
 * sending and keeping sends again, with the same `webhook-id`. What is done, not due or gone is left alone; what somebody else is
 * at work on is looked at again when that one is done, or dead.
 */
export const deliver = async (deps: DeliveringDependencies, ids: DeliveryMessage): Promise<void> => {
  const [[delivery, webhook], teams] = await Promise.all([
    readWithWebhook(deps.table, ids),
    partnerTeams(deps, ids.key_id),
  ]);
  const now = deps.clock.now();
  if (delivery?.state !== 'PENDING' || delivery.due_at === null || delivery.due_at > now + earlyMs) return;
  const isOpen = webhook !== undefined && webhook.state !== 'DISABLED';
  const mayBeSent = isOpen && (teams.includes(delivery.team_id) || (await isHeld(deps, webhook, delivery)));
  if (!mayBeSent) return deps.table.put(asItStands(cancelled(delivery), delivery));
  if (deps.lane === 'first' && webhook.troubled_since !== null) return deps.second.send([ids]);
  const claimed = await claim(deps, delivery);
  if (!claimed) return deps.second.send([ids], { delaySeconds: claimMs / 1000 });
  const made = await attempt(deps, webhook, claimed, 'retry');
  await recordOutcome(deps, { webhook, delivery: claimed, made });
};

/** Whether the partner holds the team after all: an index that lags cancels nothing. A partner without a key is ended. */
const isHeld = async (
  deps: DeliveringDependencies,
  webhook: Webhook,
  { team_id }: Delivery,
): Promise<boolean> => {
  const teams = await partnerTeamsNow(deps, webhook.key_id);
  if (teams.length === 0) await disableWebhook(deps, webhook, 'its API key has ended');
  return teams.includes(team_id);
};

/** Makes the delivery this attempt's alone; undefined: it is somebody else's. */
const claim = async (
  { table, clock }: DeliveringDependencies,
  delivery: Delivery,
): Promise<Delivery | undefined> => {
  const now = clock.now();
  if (delivery.claimed_until > now) return undefined;
  const claimed = { ...delivery, claimed_until: now + claimMs, ...nextVersion(delivery) };
  try {
    await table.put(asItStands(claimed, delivery));
    return claimed;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
};

const nextVersion = ({ version }: Delivery) => ({ version: version + 1, claim: randomUUID() });

const cancelled = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'CANCELLED',
  due_at: null,
  ...nextVersion(delivery),
});

const Message = z.object({
  key_id: z.int().min(1),
  webhook_id: z.int().min(1),
  event_id: z.string().min(1),
});

/** The handler of a queue of deliveries: a message is one attempt, and those of a batch are made side by side. */
export const deliveryWorker = handleMessages<DeliveringDependencies>((deps, { body }) =>
  deliver(deps, Message.parse(JSON.parse(body))),
);

/** What this process delivers with. */
export const deliveringHere = (
  lane: DeliveringDependencies['lane'],
  retryQueueUrl: string,
): DeliveringDependencies => ({
  ...environment(),
  lane,
  post: postHere,
  signingClock: machineClock,
  second: workQueue<DeliveryMessage>(queueClient(), retryQueueUrl),
});
