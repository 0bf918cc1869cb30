import { randomUUID } from 'node:crypto';
import { ConflictError } from '../../platform/table/index.ts';
import { partnerTeams, partnerTeamsNow } from '../key/index.ts';
import { attempt } from './attempt.ts';
import type { Delivery } from './delivery.entity.ts';
import { asItStands, readWithWebhook } from './delivery.store.ts';
import type { DeliveringDependencies, DeliveryMessage } from './dependencies.ts';
import { disableWebhook } from './end-webhook.ts';
import { recordOutcome } from './keep-outcome.ts';
import type { Webhook } from './webhook.entity.ts';

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
