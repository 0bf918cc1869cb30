import type { SystemCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import { recordEvent } from '../../record-event.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import { arrived, isGone, withAttempt } from './attempt.ts';
import { type Attempt, deliveriesPartition, type Delivery } from './delivery.entity.ts';
import { asItStands, messageOf } from './delivery.store.ts';
import type { DeliveringDependencies } from './dependencies.ts';
import { disableWebhook } from './end-webhook.ts';
import { recordHealth } from './note-health.ts';
import { retryDelayMs, shortestLookMs } from './retry-plan.ts';
import { type Webhook, WebhookEntity } from './webhook.entity.ts';

interface Outcome {
  webhook: Webhook;
  /** As it was claimed. */
  delivery: Delivery;
  made: Attempt;
}

/** Keeps what came of an attempt by the plan: done, tried again later, or given up (D62). */
export const recordOutcome = async (deps: DeliveringDependencies, outcome: Outcome): Promise<void> => {
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
