import { randomUUID } from 'node:crypto';
import type { SystemCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import { change, ConflictError, equals, retryOnConflict } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { partnerTeams, partnerTeamsNow } from '../people/model.ts';
import { isDelivered, attempt, isGone, withAttempt } from './attempt.ts';
import { retryDelayMs, minScheduledDelayMs } from './webhook-retry.rules.ts';
import {
  putIfUnchanged,
  type Attempt,
  deliveriesPartition,
  type DeliveryDependencies,
  type Delivery,
  type DeliveryMessage,
  messageOf,
  readWithWebhook,
} from './delivery.store.ts';
import { disableWebhook, recordHealth, type Webhook, WebhookEntity } from './webhook.store.ts';

interface Outcome {
  webhook: Webhook;
  /** As claimed. */
  delivery: Delivery;
  result: Attempt;
}

/** Stores the result of an attempt: delivered, to be retried, or failed (D62). */
const recordOutcome = async (deps: DeliveryDependencies, outcome: Outcome): Promise<void> => {
  const { webhook, delivery, result } = outcome;
  const tries = delivery.tries + 1;
  const after = (changed: Partial<Delivery>) =>
    withAttempt(delivery, result, { tries, due_at: null, ...changed });
  const store = (changed: Partial<Delivery>) => deps.table.put(putIfUnchanged(after(changed), delivery));
  if (isDelivered(result)) {
    await store({ state: 'DELIVERED' });
    return recordHealth(deps, webhook, true);
  }
  if (isGone(result)) {
    await store({ state: 'FAILED' });
    return disableWebhook(deps, webhook, result.error ?? '');
  }
  const delayMs = webhook.state === 'FAILING' ? undefined : retryDelayMs(tries);
  if (delayMs === undefined) return giveUp(deps, outcome, after({ state: 'FAILED' }));
  const dueAt = deps.clock.now() + delayMs;
  await store({ due_at: dueAt, look_at: dueAt, looks: 0 });
  await recordHealth(deps, webhook, false);
  if (delayMs < minScheduledDelayMs)
    await deps.second.send([messageOf(delivery)], { delaySeconds: Math.ceil(delayMs / 1000) });
};

/** The owners of a team are notified of a failing webhook at most once a day. */
const notifyEveryMs = dayMs;
const service: SystemCaller = { kind: 'system', name: 'webhook' };

/**
 * Stores that the retries have run out: in one transaction with it the webhook becomes FAILING, and an event notifies its
 * teams' owners.
 */
const giveUp = (deps: DeliveryDependencies, { delivery, result }: Outcome, failed: Delivery): Promise<void> =>
  retryOnConflict(async () => {
    const { table, clock } = deps;
    const webhook = await table.get(WebhookEntity, delivery);
    if (webhook?.state !== 'ACTIVE') return table.put(putIfUnchanged(failed, delivery));
    const now = clock.now();
    const isNotified = now - webhook.notified_at < notifyEveryMs;
    const problem = result.error ?? '';
    await table.transact([
      putIfUnchanged(failed, delivery),
      change(
        WebhookEntity,
        webhook,
        {
          set: {
            state: 'FAILING',
            problem,
            troubled_since: webhook.troubled_since ?? result.at,
            version: webhook.version + 1,
            updated_at: instantText(now),
            ...(isNotified ? {} : { notified_at: now }),
          },
        },
        { when: equals('version', webhook.version) },
      ),
      ...(isNotified ? [] : [failingEvent(deps, webhook, problem)]),
    ]);
  });

const failingEvent = ({ clock }: Pick<DeliveryDependencies, 'clock'>, webhook: Webhook, problem: string) =>
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

/** Longer than an attempt may take, so that a crashed one does not block the next for long. */
const claimMs = 30_000;
/** A queue may deliver a message slightly early. */
const earlyMs = 1000;

/**
 * Makes the attempt of a due delivery and stores the result (D62). At least once: after a crash between sending and
 * storing it is sent again with the same `webhook-id`. Deliveries that are done or not due are ignored; one that is
 * claimed by another worker is checked again after the claim has ended.
 */
export const deliver = async (deps: DeliveryDependencies, ids: DeliveryMessage): Promise<void> => {
  const [[delivery, webhook], teams] = await Promise.all([
    readWithWebhook(deps.table, ids),
    partnerTeams(deps, ids.key_id),
  ]);
  const now = deps.clock.now();
  if (delivery?.state !== 'PENDING' || delivery.due_at === null || delivery.due_at > now + earlyMs) return;
  const isOpen = webhook !== undefined && webhook.state !== 'DISABLED';
  const mayBeSent =
    isOpen && (teams.includes(delivery.team_id) || (await partnerHasTeam(deps, webhook, delivery)));
  if (!mayBeSent) return deps.table.put(putIfUnchanged(cancelled(delivery), delivery));
  if (deps.lane === 'first' && webhook.troubled_since !== null) return deps.second.send([ids]);
  const claimed = await claimDelivery(deps, delivery);
  if (!claimed) return deps.second.send([ids], { delaySeconds: claimMs / 1000 });
  const result = await attempt(deps, webhook, claimed, 'retry');
  await recordOutcome(deps, { webhook, delivery: claimed, result });
};

/**
 * Whether the partner still has the team, with strongly consistent reads, since nothing is cancelled on an index that
 * lags. A partner without a valid key is disabled.
 */
const partnerHasTeam = async (
  deps: DeliveryDependencies,
  webhook: Webhook,
  { team_id }: Delivery,
): Promise<boolean> => {
  const teams = await partnerTeamsNow(deps, webhook.key_id);
  if (teams.length === 0) await disableWebhook(deps, webhook, 'its API key has ended');
  return teams.includes(team_id);
};

/** Claims the delivery for this attempt; undefined if another worker has claimed it. */
const claimDelivery = async (
  { table, clock }: DeliveryDependencies,
  delivery: Delivery,
): Promise<Delivery | undefined> => {
  const now = clock.now();
  if (delivery.claimed_until > now) return undefined;
  const claimed = { ...delivery, claimed_until: now + claimMs, ...nextVersion(delivery) };
  try {
    await table.put(putIfUnchanged(claimed, delivery));
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
