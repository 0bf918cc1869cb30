import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { requireOutgoing } from '../../platform/outgoing/index.ts';
import { absent, create, equals, put, type Table, retryOnConflict, type Write } from '../../platform/table/index.ts';
import type { AddressCheck } from './dependencies.ts';
import { teamEventsPartition } from './event-page.entity.ts';
import { presentWebhook } from './present-webhook.ts';
import { newSecret } from './signing.ts';
import {
  subscriberPrefix,
  type Webhook,
  type WebhookCount,
  WebhookCountEntity,
  WebhookEntity,
} from './webhook.entity.ts';
import type { CreateWebhook, WebhookWithSecret } from './webhook.schema.ts';
import { subscribe } from './webhook.store.ts';

/** Webhooks of a partner, and of all partners of a team together: an event enters with all its deliveries at once. */
const mostOfPartner = 10;
const mostOfTeam = 50;

/**
 * Registers a webhook for the events of the key's teams (D62). It belongs to the partner, so it outlives the rotation of the
 * key. An address that may not be called, and one webhook too many, are VALIDATION_ERROR at `url`. The secret is shown here and
 * never again.
 */
export const createWebhook = async (
  ctx: Context<PartnerCaller>,
  input: CreateWebhook,
  address: AddressCheck,
): Promise<WebhookWithSecret> => {
  const { table, caller, clock } = ctx;
  await requireOutgoing(input.url, address);
  await requireRoom(table, caller.team_ids);
  return retryOnConflict(async () => {
    const counted = await table.get(WebhookCountEntity, { key_id: caller.key_id });
    if ((counted?.count ?? 0) >= mostOfPartner) throw tooMany(`a key has at most ${mostOfPartner} webhooks`);
    const secret = newSecret();
    const now = instantText(clock.now());
    const webhook: Webhook = {
      webhook_id: newId(clock),
      key_id: caller.key_id,
      team_ids: caller.team_ids,
      ...input,
      state: 'ACTIVE',
      problem: null,
      secrets: [secret],
      version: 1,
      troubled_since: null,
      busy_until: 0,
      told_at: 0,
      created_at: now,
      updated_at: now,
    };
    return ctx.commit(
      [create(WebhookEntity, webhook), countWrite(caller.key_id, counted, 1), ...subscribe(webhook)],
      { ...presentWebhook(webhook), secret: secret.text },
    );
  });
};

const tooMany = (message: string): Error => invalid({ path: 'url', message });

const requireRoom = async (table: Table, teamIds: readonly number[]): Promise<void> => {
  const counts = await Promise.all(
    teamIds.map((team) => table.count({ pk: teamEventsPartition(team), prefix: subscriberPrefix })),
  );
  if (counts.some((count) => count >= mostOfTeam))
    throw tooMany(`a team of the key has ${mostOfTeam} webhooks already`);
};

/** The write that counts a webhook in or out; it loses the race against another that counts. */
export const countWrite = (key_id: number, counted: WebhookCount | undefined, step: 1 | -1): Write =>
  put(
    WebhookCountEntity,
    { key_id, count: Math.max(0, (counted?.count ?? 0) + step), version: (counted?.version ?? 0) + 1 },
    { when: counted ? equals('version', counted.version) : absent() },
  );
