import type { PartnerCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { requireOutgoing } from '../../platform/outgoing/index.ts';
import { overlapMs } from '../../platform/secrets/overlap.ts';
import {
  absent,
  change,
  create,
  equals,
  maxWrites,
  put,
  readOf,
  remove,
  retryOnConflict,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import type { AddressCheck, Delivery } from './delivery.store.ts';
import { teamEventsPartition } from './event-page.entity.ts';
import type {
  CreateWebhook,
  DeliveryRecord,
  RotatedSecret,
  UpdateWebhook,
  WebhookRecord,
  WebhookWithSecret,
} from './webhook.schema.ts';
import { newSecret, rotateSecrets, sealedSecret } from './webhook-secret.store.ts';
import {
  readWebhooks,
  requireWebhook,
  subscribe,
  subscriberPrefix,
  type SubscriptionCount,
  SubscriptionCountEntity,
  unsubscribe,
  type Webhook,
  type WebhookCount,
  WebhookCountEntity,
  WebhookEntity,
} from './webhook.store.ts';

/** Returns a webhook as its partner sees it, without its secrets. */
const presentWebhook = (webhook: Webhook): WebhookRecord => {
  const { webhook_id, url, event_types, description, team_ids, state, problem } = webhook;
  const { troubled_since, created_at, updated_at } = webhook;
  return {
    id: webhook_id,
    url,
    event_types,
    description,
    team_ids,
    state,
    problem,
    failing_since: troubled_since,
    created_at,
    updated_at,
  };
};

export const presentDelivery = (delivery: Delivery): DeliveryRecord => {
  const { event_id, webhook_id, event_type, team_id, state, attempts, due_at, occurred_at, created_at } =
    delivery;
  return {
    id: event_id,
    webhook_id,
    event_type,
    team_id,
    state,
    attempts,
    next_attempt_at: due_at === null ? null : instantText(due_at),
    occurred_at,
    created_at,
  };
};

/** The most webhooks of a partner, and of all partners of a team, since an event is written with all its deliveries. */
const maxOfPartner = 10;
const maxOfTeam = 50;

/**
 * Creates a webhook for the events of the key's teams (D62). It belongs to the partner and outlives the rotation of the
 * key. Throws VALIDATION_ERROR at `url` for an address that may not be called, or for too many webhooks. The secret is
 * returned only here.
 */
export const createWebhook = async (
  ctx: Context<PartnerCaller>,
  input: CreateWebhook,
  address: AddressCheck,
): Promise<WebhookWithSecret> => {
  const { table, caller, clock } = ctx;
  await requireOutgoing(input.url, address);
  return retryOnConflict(async () => {
    const counted = await table.get(WebhookCountEntity, { key_id: caller.key_id });
    if ((counted?.count ?? 0) >= maxOfPartner)
      throw tooMany('url', `a key can have at most ${maxOfPartner} webhooks`);
    const additions = await countWebhook(table, caller.team_ids, 'url');
    const secret = newSecret();
    const now = instantText(clock.now());
    const ids = { webhook_id: newId(clock) };
    const webhook: Webhook = {
      ...ids,
      key_id: caller.key_id,
      team_ids: caller.team_ids,
      ...input,
      state: 'ACTIVE',
      problem: null,
      secrets: [await sealedSecret(ctx, ids, secret)],
      version: 1,
      troubled_since: null,
      busy_until: 0,
      notified_at: 0,
      created_at: now,
      updated_at: now,
    };
    return ctx.commit(
      [
        create(WebhookEntity, webhook),
        countWrite(caller.key_id, counted, 1),
        ...subscribe(webhook),
        ...additions,
      ],
      { ...presentWebhook(webhook), secret: secret.text },
    );
  });
};

const tooMany = (path: 'url' | 'state', message: string): Error => invalid({ path, message });

/** A webhook, its partner's count and the record of the request are written with the subscriptions. */
const otherWrites = 3;

/**
 * Returns the writes that count another webhook of teams, which conflict with other additions; throws VALIDATION_ERROR if a
 * team has as many as it can. Disabled ones do not count. The transaction of a key of 49 or 50 teams has no room for all: it
 * leaves out those with the fewest webhooks.
 */
const countWebhook = async (
  table: Table,
  teamIds: readonly number[],
  path: 'url' | 'state',
): Promise<Write[]> => {
  // Read before the webhooks are counted: an addition in between changes it.
  const before = await table.getAll(
    teamIds.map((teamId) => readOf(SubscriptionCountEntity, { team_id: teamId })),
  );
  const counts = await Promise.all(
    teamIds.map((team) => table.count({ pk: teamEventsPartition(team), prefix: subscriberPrefix })),
  );
  if (counts.some((count) => count >= maxOfTeam))
    throw tooMany(path, `a team of the key already has ${maxOfTeam} webhooks`);
  return teamIds
    .map((teamId, at) => ({ team_id: teamId, before: before[at], webhooks: counts[at] ?? 0 }))
    .toSorted((one, other) => other.webhooks - one.webhooks)
    .slice(0, maxWrites - otherWrites - teamIds.length)
    .map(countSubscription);
};

/** A team and the subscriptions that it has had. */
type Subscribed = Pick<SubscriptionCount, 'team_id'> & { before: SubscriptionCount | undefined };

const countSubscription = ({ team_id, before }: Subscribed): Write =>
  put(
    SubscriptionCountEntity,
    { team_id, count: (before?.count ?? 0) + 1 },
    { when: before ? equals('count', before.count) : absent() },
  );

/** Returns the write that changes the number of webhooks; it conflicts with a concurrent one. */
const countWrite = (keyId: number, counted: WebhookCount | undefined, step: 1 | -1): Write =>
  put(
    WebhookCountEntity,
    { key_id: keyId, count: Math.max(0, (counted?.count ?? 0) + step), version: (counted?.version ?? 0) + 1 },
    { when: counted ? equals('version', counted.version) : absent() },
  );

/** Returns the webhooks of the key, oldest first, in one page. */
export const listWebhooks = async ({
  table,
  caller,
}: Context<PartnerCaller>): Promise<{ items: WebhookRecord[] }> => ({
  items: (await readWebhooks(table, caller.key_id)).map(presentWebhook),
});

/** Returns a webhook of the key; NOT_FOUND for any other. */
export const getWebhook = async (ctx: Context<PartnerCaller>, webhookId: number): Promise<WebhookRecord> =>
  presentWebhook(await requireWebhook(ctx, webhookId));

/**
 * Updates the given fields of a webhook (D62). DISABLED ends its subscriptions and cancels pending deliveries; ACTIVE
 * also ends FAILING and clears the problem; after DISABLED it is VALIDATION_ERROR at `state` if a team has no room for it.
 */
export const updateWebhook = async (
  ctx: Context<PartnerCaller>,
  webhookId: number,
  input: UpdateWebhook,
  address: AddressCheck,
): Promise<WebhookRecord> => {
  await requireWebhook(ctx, webhookId);
  if (input.url !== undefined) await requireOutgoing(input.url, address);
  return retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const set = {
      ...updatedFields(input),
      ...(input.state === 'ACTIVE' || input.url !== undefined ? { troubled_since: null } : {}),
      ...(input.state === undefined ? {} : { problem: null }),
      version: webhook.version + 1,
      updated_at: instantText(ctx.clock.now()),
    };
    const after: Webhook = { ...webhook, ...set };
    const isBack = webhook.state === 'DISABLED' && after.state !== 'DISABLED';
    const additions = isBack ? await countWebhook(ctx.table, webhook.team_ids, 'state') : [];
    return ctx.commit(
      [
        change(WebhookEntity, webhook, { set }, { when: equals('version', webhook.version) }),
        ...(after.state === 'DISABLED' ? unsubscribe(after) : subscribe(after)),
        ...additions,
      ],
      presentWebhook(after),
    );
  });
};

type UpdatedFields = { [Field in keyof UpdateWebhook]: Exclude<UpdateWebhook[Field], undefined> };

const updatedFields = (body: UpdateWebhook): UpdatedFields =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Deletes a webhook; pending deliveries are not sent (D62). Of two at once the number of webhooks lets one through. */
export const deleteWebhook = (
  ctx: Context<PartnerCaller>,
  webhookId: number,
): Promise<{ message: string; id: number }> =>
  retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const counted = await ctx.table.get(WebhookCountEntity, webhook);
    return ctx.commit(
      [remove(WebhookEntity, webhook), countWrite(webhook.key_id, counted, -1), ...unsubscribe(webhook)],
      { message: 'The webhook is deleted.', id: webhook.webhook_id },
    );
  });

/** Replaces the secret of a webhook and returns it once; the old one signs for another 24 hours (D62). */
export const rotateSecret = (ctx: Context<PartnerCaller>, webhookId: number): Promise<RotatedSecret> =>
  retryOnConflict(async () => {
    const webhook = await requireWebhook(ctx, webhookId);
    const now = ctx.clock.now();
    const secret = newSecret();
    const set = {
      secrets: await rotateSecrets(ctx, webhook, secret, now),
      version: webhook.version + 1,
      updated_at: instantText(now),
    };
    return ctx.commit(
      [change(WebhookEntity, webhook, { set }, { when: equals('version', webhook.version) })],
      {
        ...presentWebhook({ ...webhook, ...set }),
        secret: secret.text,
        old_secret_signs_until: instantText(now + overlapMs),
      },
    );
  });
