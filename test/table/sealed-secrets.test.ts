import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { type Webhook, WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { createSealing } from '../../shared/platform/data-key/sealing.ts';
import { put } from '../../shared/platform/table/index.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { answerOf, playOperator } from '../support/operator.ts';
import { testKeeper } from '../support/sealing.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';

let s: WebhookScene;
beforeEach(async () => {
  s = await webhookScene();
});

const stored = async (webhook_id: number): Promise<Webhook> =>
  (await s.deps.table.get(WebhookEntity, { key_id: s.caller.key_id, webhook_id })) ?? expect.unreachable();

/** Stores the secrets of a webhook as a version before has, and returns them. */
const storePlain = async (webhook_id: number): Promise<string> => {
  const text = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const webhook = await stored(webhook_id);
  await s.deps.table.transact([put(WebhookEntity, { ...webhook, secrets: [{ text, signs_until: null }] })]);
  return text;
};

const delivered = async () => {
  await s.deliver(s.event());
  await s.work();
  const { text, headers } = s.sent.at(-1) ?? expect.unreachable();
  return { verifiedBy: (secret: string) => new Verifier(secret).verify(text, headers) };
};
const rotate = (webhook_id: number) => s.ok(s.caller, 'rotateWebhookSecret', { params: { webhook_id } });

describe('the secret of a webhook', () => {
  it('is encrypted, and signs; so is that of a rotation, and both sign', async () => {
    const { id, secret } = await s.register();
    const first = await delivered();
    first.verifiedBy(secret);
    const next = await rotate(id);
    const both = await delivered();
    both.verifiedBy(secret);
    both.verifiedBy(next.secret);
    const { secrets } = await stored(id);
    expect(secrets.map((one) => Object.keys(one).sort())).toEqual([
      ['sealed', 'signs_until'],
      ['sealed', 'signs_until'],
    ]);
  });

  it('that a version before has written signs, and is encrypted by the next rotation', async () => {
    const { id } = await s.register();
    const text = await storePlain(id);
    (await delivered()).verifiedBy(text);
    const { secret } = await rotate(id);
    expect(JSON.stringify(await stored(id))).not.toContain('whsec_');
    const both = await delivered();
    both.verifiedBy(text);
    both.verifiedBy(secret);
  });

  it('that cannot be decrypted, because the key was lost, sends nothing and says so until it is rotated', async () => {
    const { id } = await s.register();
    const other = createSealing([(text) => testKeeper(`${text} of another key`)], 'test');
    const webhook = await stored(id);
    const sealed = await other.seal('whsec_', `Webhook/${id}/secret`);
    await s.deps.table.transact([
      put(WebhookEntity, { ...webhook, secrets: [{ sealed, signs_until: null }] }),
    ]);
    await s.deliver(s.event());
    await s.work();
    expect(s.sent).toEqual([]);
    expect(await s.deliveries(id)).toMatchObject([
      { attempts: [{ response_code: null, error: expect.stringContaining('rotate it') as string }] },
    ]);
    const { secret } = await rotate(id);
    (await delivered()).verifiedBy(secret);
  });
});

describe('table seal', () => {
  const seal = async (deps = s.deps) =>
    answerOf<{ sealed: object }>(await playOperator(deps, ['table', 'seal', '--rate', '10000']));
  const counted = async () => answerOf(await playOperator(s.deps, ['table', 'seal', '--dry-run']));
  const codes = { wifi_password: 'rung-thong', door_code: { gate: '4711#' } };

  beforeEach(async () => {
    // Records of other tests.
    await seal();
  });

  it('encrypts what versions before have written, once, and it stays what it was', async () => {
    const { id } = await s.register();
    const text = await storePlain(id);
    const listing = await testListing(s.deps, { team_id: s.team_id, ...codes });
    expect(await counted()).toEqual({ dry_run: true, would_seal: { Listing: 1, Webhook: 1 } });
    expect(await seal()).toEqual({ sealed: { Listing: 1, Webhook: 1 } });
    expect(JSON.stringify(await stored(id))).not.toContain('whsec_');
    (await delivered()).verifiedBy(text);
    const after = await s.deps.table.get(ListingEntity, { id: listing.id });
    expect(after).toMatchObject({ wifi_password: null, door_code: null, version: listing.version + 1 });
    expect(await counted()).toEqual({ dry_run: true, would_seal: {} });
    expect(await seal()).toEqual({ sealed: {} });
  });

  it('loses no rotation of that moment', async () => {
    const { id } = await s.register();
    const text = await storePlain(id);
    const rotated: string[] = [];
    const meanwhile = async () => void rotated.push((await rotate(id)).secret);
    const table = interruptedTable(s.deps.table, writing('Webhook'), meanwhile);
    expect(await seal({ ...s.deps, table })).toEqual({ sealed: { Webhook: 1 } });
    const both = await delivered();
    for (const secret of [text, ...rotated]) both.verifiedBy(secret);
    expect(rotated).toHaveLength(1);
  });

  it('loses no change of a listing at that moment', async () => {
    const listing = await testListing(s.deps, { team_id: s.team_id, ...codes });
    const changed = { ...listing, name: 'Nhà trên đồi', version: listing.version + 1 };
    const meanwhile = () => s.deps.table.transact([put(ListingEntity, changed)]);
    const table = interruptedTable(s.deps.table, writing('Listing'), meanwhile);
    expect(await seal({ ...s.deps, table })).toEqual({ sealed: { Listing: 1 } });
    const after = await s.deps.table.get(ListingEntity, { id: listing.id });
    expect(after).toMatchObject({ name: 'Nhà trên đồi', wifi_password: null, door_code: null });
  });
});
