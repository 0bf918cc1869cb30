import { beforeAll, describe, expect, it } from 'vitest';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { createParkingRule, listParkingRules } from '../../shared/domain/listing/parking.ts';
import { CreateParkingRule } from '../../shared/domain/listing/parking.schema.ts';
import { KeySettings } from '../../shared/domain/people/key.schema.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { CreateExtraService } from '../../shared/domain/pricing/extra-service.schema.ts';
import { addPricePart, listPriceParts, removePricePart } from '../../shared/domain/pricing/price-parts.ts';
import { teamEventsPartition } from '../../shared/domain/webhook/event-page.entity.ts';
import {
  requireWebhook,
  SubscriberEntity,
  subscriberPrefix,
} from '../../shared/domain/webhook/webhook.store.ts';
import { signingSecrets } from '../../shared/domain/webhook/webhook-secret.store.ts';
import { CreateWebhook } from '../../shared/domain/webhook/webhook.schema.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from '../../shared/domain/webhook/webhooks.ts';
import { removeReports, setReports } from '../../shared/domain/transfer/index.ts';
import { ReportKeyEntity } from '../../shared/domain/transfer/model.ts';
import { put } from '../../shared/platform/table/index.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import { type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { freshId, testContext, testDependencies, testKey, testTeam } from '../support/table.ts';

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

const parking = (vehicle_type: 'car' | 'motorbike') =>
  CreateParkingRule.parse({ vehicle_type, is_free: true, location_type: 'on_site' });
const service = (service_name: string) =>
  CreateExtraService.parse({ service_name, price: 50_000, price_unit: 'per_person' });

describe('two hosts at once', () => {
  it('add the first parking rules of a listing, and further ones: all are kept', async () => {
    const { id } = await s.listing();
    const meanwhile = () => createParkingRule(s.owner, id, parking('motorbike'));
    await createParkingRule(interrupted(s.owner, meanwhile), id, parking('car'));
    expect(Object.keys(await listParkingRules(s.owner, id)).sort()).toEqual(['car', 'motorbike']);
  });

  it('cannot add a parking rule of one vehicle twice', async () => {
    const { id } = await s.listing();
    await createParkingRule(s.owner, id, parking('motorbike'));
    const meanwhile = () => createParkingRule(s.owner, id, parking('car'));
    await expect(
      createParkingRule(interrupted(s.owner, meanwhile), id, parking('car')),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('add no parking rule to a listing that is archived', async () => {
    const { id } = await s.listing();
    const ctx = interrupted(s.owner, () => archiveListing(s.owner, id));
    await expect(createParkingRule(ctx, id, parking('car'))).rejects.toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
  });

  it('add the first extra services of a listing, and further ones: all are kept', async () => {
    const { id } = await s.listing();
    const add = (name: string, meanwhile: string) =>
      addPricePart(
        interrupted(s.owner, () => addPricePart(s.owner, 'services', id, service(meanwhile))),
        'services',
        id,
        service(name),
      );
    await add('Breakfast', 'Sauna');
    await add('Boat', 'Bicycle');
    const names = (await listPriceParts(s.owner, 'services', id)).map(({ service_name }) => service_name);
    expect(names.sort()).toEqual(['Bicycle', 'Boat', 'Breakfast', 'Sauna']);
  });
});

describe('while a host adds an extra service', () => {
  const add = (ctx: PaymentScene['owner'], id: number, price = 50_000) =>
    addPricePart(ctx, 'services', id, { ...service('Sauna'), price });

  it('its listing is archived: it is not added', async () => {
    const { id } = await s.listing();
    const ctx = interrupted(s.owner, () => archiveListing(s.owner, id));
    await expect(add(ctx, id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('its listing takes another currency: the price must be one of that currency', async () => {
    const { id } = await s.listing({ currency: 'USD' });
    const ctx = interrupted(s.owner, () => updateListing(s.owner, id, { currency: 'VND' }));
    await expect(add(ctx, id, 10.5)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('the currency of its listing cannot change, also where it has none yet', async () => {
    const { id } = await s.listing();
    const ctx = interrupted(s.owner, () => add(s.owner, id));
    await expect(updateListing(ctx, id, { currency: 'USD' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('the currency of its listing cannot change, also where another one was removed before', async () => {
    const { id } = await s.listing();
    const before = await add(s.owner, id);
    await removePricePart(s.owner, 'services', before);
    const ctx = interrupted(s.owner, () => add(s.owner, id));
    await expect(updateListing(ctx, id, { currency: 'USD' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('a key', () => {
  it('that is revoked while it is rotated has no successor', async () => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const { key_id } = await createKey(deps, 'test', KeySettings.parse({ team_ids: [team_id] }));
    const table = interruptedTable(deps.table, 'transact', () => revokeKey(deps, { key_id }));
    await expect(rotateKey({ ...deps, table }, 'test', { key_id, overlapHours: 1 })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await listKeys(deps, { team_id })).toMatchObject([{ key_id, state: 'REVOKED' }]);
  });
});

const address = {
  local: false,
  resolve: async () => [{ address: '93.184.215.14', family: 4 as const }],
};

it.each(['created', 'ACTIVE again'])(
  'of two partners of a team the second gets no 51st webhook %s',
  async (how) => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const others = Array.from({ length: 49 }, () => ({ webhook_id: freshId(), key_id: freshId() }));
    await deps.table.transact(
      others.map((ids) => put(SubscriberEntity, { ...ids, team_id, team_ids: [team_id], event_types: [] })),
    );
    const partner = async () => testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller);
    const [one, other] = [await partner(), await partner()];
    const input = { url: 'https://example.com/hook', event_types: ['booking.created'] };
    const create = (ctx = other) => createWebhook(ctx, CreateWebhook.parse(input), address);
    const count = () => deps.table.count({ pk: teamEventsPartition(team_id), prefix: subscriberPrefix });
    const { id } = await create(one);
    const pause = (state: 'ACTIVE' | 'DISABLED', ctx = one) => updateWebhook(ctx, id, { state }, address);
    await pause('DISABLED');
    // The other one comes after the count.
    let isFirst = true;
    const table = new Proxy(deps.table, {
      get: (target, name) => {
        if (name === 'count')
          return async (...asked: Parameters<typeof target.count>) => {
            const counted = await target.count(...asked);
            if (isFirst) {
              isFirst = false;
              await create();
            }
            return counted;
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const late = { ...interrupted(one, async () => undefined), table };
    const made = how === 'created' ? create(late) : pause('ACTIVE', late);
    await expect(made).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await count()).toBe(50);
  },
);

describe('a partner, at two places at once,', () => {
  const partner = async () => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const { caller } = await testKey(deps, { team_ids: [team_id] });
    const ctx = testContext(deps, caller);
    const create = (as = ctx) =>
      createWebhook(
        as,
        CreateWebhook.parse({ url: 'https://example.com/hook', event_types: ['booking.created'] }),
        address,
      );
    return { ctx, create };
  };

  it('creates ten webhooks and no eleventh, the first two together', async () => {
    const { ctx, create } = await partner();
    await create(interrupted(ctx, () => create()));
    for (let at = 2; at < 9; at++) await create();
    await expect(create(interrupted(ctx, () => create()))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect((await listWebhooks(ctx)).items).toHaveLength(10);
  });

  it('changes a webhook and its secret, and both changes are kept', async () => {
    const { ctx, create } = await partner();
    const { id } = await create();
    const pause = (as = ctx) => updateWebhook(as, id, { state: 'DISABLED' }, address);
    await rotateSecret(
      interrupted(ctx, () => pause()),
      id,
    );
    expect(await getWebhook(ctx, id)).toMatchObject({ state: 'DISABLED' });
    const types = ['booking.cancelled' as const];
    const change = () => updateWebhook(ctx, id, { event_types: types }, address);
    await updateWebhook(interrupted(ctx, change), id, { state: 'ACTIVE' }, address);
    expect(await getWebhook(ctx, id)).toMatchObject({ state: 'ACTIVE', event_types: types });
  });

  it('pauses a webhook and changes its events: it gets no event while it is paused', async () => {
    const { ctx, create } = await partner();
    const { id } = await create();
    const pause = () => updateWebhook(ctx, id, { state: 'DISABLED' }, address);
    await updateWebhook(interrupted(ctx, pause), id, { event_types: ['booking.cancelled'] }, address);
    const subscribers = { pk: teamEventsPartition(ctx.caller.team_ids[0]!), prefix: subscriberPrefix };
    expect(await ctx.table.count(subscribers)).toBe(0);
  });

  it('rotates the secret of a webhook: both new ones sign', async () => {
    const { ctx, create } = await partner();
    const { id } = await create();
    const secrets: string[] = [];
    const rotate = async (as = ctx) => secrets.push((await rotateSecret(as, id)).secret);
    await rotate(interrupted(ctx, () => rotate()));
    const kept = await signingSecrets(ctx, await requireWebhook(ctx, id), ctx.clock.now());
    expect(kept).toEqual(expect.arrayContaining(secrets));
  });

  it('replaces the key of a reporter that another removes, or removes and sets again: the removed one signs no more', async () => {
    const ids = { team_id: s.owner.caller.memberships[0]!.team_id, provider: 'sepay' as const };
    const kept = async () => (await s.deps.table.get(ReportKeyEntity, ids))?.old_secrets ?? [];
    const set = (ctx = s.owner) => setReports(ctx, 'sepay', {}, 'https://api.example');
    await set();
    await set(interrupted(s.owner, () => removeReports(s.owner, 'sepay')));
    expect(await kept()).toEqual([]);
    const anew = async () => {
      await removeReports(s.owner, 'sepay');
      await set();
    };
    await set(interrupted(s.owner, anew));
    expect(await kept()).toHaveLength(1);
    await set(interrupted(s.owner, set));
    expect(await kept()).toHaveLength(3);
    await removeReports(s.owner, 'sepay');
    await set(interrupted(s.owner, set));
    expect(await kept()).toHaveLength(1);
  });

  it('deletes a webhook once', async () => {
    const { ctx, create } = await partner();
    const [{ id }] = [await create(), await create()];
    const remove = (as = ctx) => deleteWebhook(as, id);
    await expect(remove(interrupted(ctx, () => remove()))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (let at = 1; at < 10; at++) await create();
    await expect(create()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
