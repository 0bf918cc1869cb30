import { beforeAll, describe, expect, it } from 'vitest';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { previewPrice } from '../../shared/domain/pricing/preview-price.ts';
import type { CreatePricingRule } from '../../shared/domain/pricing/price-part.schema.ts';
import {
  PricePartOwnerEntity,
  type PriceParts,
  PricePartsEntity,
} from '../../shared/domain/pricing/price-parts.entity.ts';
import {
  addPricePart,
  changePricePart,
  listPriceParts,
  removePricePart,
} from '../../shared/domain/pricing/price-parts.ts';
import { put } from '../../shared/platform/table/index.ts';
import { at, hostWorld } from '../support/host-world.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, create } = hostWorld(() => deps);

const rule: CreatePricingRule = {
  date_type: 'ALWAYS',
  weekdays: null,
  day_of_week: null,
  date_from: null,
  date_to: null,
  charge_unit: 'PER_NIGHT',
  stay_type: 'ANY',
  price: 900_000,
  priority: 0,
  is_active: true,
};
const service = {
  service_name: 'Breakfast',
  description: null,
  price: 50_000,
  price_unit: 'per_person' as const,
  is_required: false,
  is_active: true,
};
const combo = {
  name: 'Weekend night',
  start_time: '20:00:00',
  end_time: '10:00:00',
  original_price: 900_000,
  discounted_price: 750_000,
  combo_type: 'overnight' as const,
  priority: 0,
  is_active: true,
};

const fill = async (listing_id: number, given: Partial<PriceParts>) =>
  deps.table.transact([
    put(PricePartsEntity, { listing_id, version: 1, combos: [], services: [], rules: [], ...given }),
  ]);

describe('price parts', () => {
  it('keeps every one of thirty that come at once', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const thirty = Array.from({ length: 30 }, (_, priority) => priority);
    for (const ten of [thirty.slice(0, 10), thirty.slice(10, 20), thirty.slice(20)])
      await Promise.all(ten.map((priority) => addPricePart(ctx, 'rules', id, { ...rule, priority })));
    const kept = (await listPriceParts(ctx, 'rules', id)).map(({ priority }) => priority);
    expect(kept.sort((one, other) => one - other)).toEqual(thirty);
  });

  it('emits an event for every change', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const part = await addPricePart(ctx, 'combos', id, combo);
    await changePricePart(ctx, 'combos', { id: part.id }, { priority: 3 });
    await removePricePart(ctx, 'combos', { id: part.id });
    const items = await deps.table.queryAll(EventEntity, { pk: `LISTING#${id}`, prefix: 'EVENT#' });
    const changed = items.filter((event) => event.event_type === 'listing.updated');
    expect(changed.map(({ data }) => data['changed'])).toEqual(Array(3).fill(['combo_prices']));
  });

  it('leads from a bare id to the listing until the part is removed', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const part = await addPricePart(ctx, 'rules', id, rule);
    const owner = { kind: 'rules' as const, part_id: part.id };
    expect(await deps.table.get(PricePartOwnerEntity, owner)).toMatchObject({ listing_id: id });
    await expect(changePricePart(ctx, 'combos', { id: part.id }, {})).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await removePricePart(ctx, 'rules', { id: part.id });
    expect(await deps.table.get(PricePartOwnerEntity, owner)).toBeUndefined();
  });

  it.each([
    ['rules', 200],
    ['combos', 50],
    ['services', 50],
  ] as const)('takes as many %s as %i and no more', async (kind, most) => {
    const ctx = await host();
    const { id } = await create(ctx);
    const fields = { rules: rule, combos: combo, services: service }[kind];
    const born = kind === 'services' ? { created_at: '2027-01-15T03:00:00.000Z' } : {};
    const all = Array.from({ length: most - 1 }, () => ({
      ...fields,
      ...born,
      listing_id: id,
      id: freshId(),
    }));
    await fill(id, { [kind]: all });
    await addPricePart(ctx, kind, id, fields);
    await expect(addPricePart(ctx, kind, id, fields)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'listing_id' }] },
    });
  });

  it('refuses more text than one item holds, instead of failing', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const description = 'ế'.repeat(5000);
    for (let count = 0; count < 19; count++)
      await addPricePart(ctx, 'services', id, { ...service, description });
    await expect(addPricePart(ctx, 'services', id, { ...service, description })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('takes 300,000 bytes, and not one more', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const part = await addPricePart(ctx, 'services', id, { ...service, description: '' });
    const stored = await deps.table.get(PricePartsEntity, { listing_id: id });
    const left = 300_000 - Buffer.byteLength(JSON.stringify(stored));
    const describe = (length: number) =>
      changePricePart(ctx, 'services', part, { description: 'x'.repeat(length) });
    await expect(describe(left + 1)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(describe(left)).resolves.toMatchObject({ id: part.id });
  });

  it('are unknown once the listing is archived', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const part = await addPricePart(ctx, 'rules', id, rule);
    await archiveListing(ctx, at(id).params.listing_id);
    await expect(listPriceParts(ctx, 'rules', id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(addPricePart(ctx, 'rules', id, rule)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(removePricePart(ctx, 'rules', { id: part.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the currency of a listing', () => {
  const toDollars = (ctx: Parameters<typeof updateListing>[0], id: number) =>
    updateListing(
      ctx,
      { ...at(id), body: { currency: 'USD', full_rate: 50 } }.params.listing_id,
      { ...at(id), body: { currency: 'USD', full_rate: 50 } }.body,
    );

  it('may change while no price part stands, and all money is judged anew', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const part = await addPricePart(ctx, 'rules', id, rule);
    await expect(toDollars(ctx, id)).rejects.toMatchObject({ details: { issues: [{ path: 'currency' }] } });
    await removePricePart(ctx, 'rules', { id: part.id });
    expect(await toDollars(ctx, id)).toMatchObject({ currency: 'USD', full_rate: 50 });
    await updateListing(
      ctx,
      { ...at(id), body: { cleaning_fee: 9.99 } }.params.listing_id,
      { ...at(id), body: { cleaning_fee: 9.99 } }.body,
    );
    await expect(
      updateListing(
        ctx,
        { ...at(id), body: { currency: 'VND' } }.params.listing_id,
        { ...at(id), body: { currency: 'VND' } }.body,
      ),
    ).rejects.toMatchObject({
      details: { issues: [{ path: 'cleaning_fee' }] },
    });
  });

  it('never changes under a price part that comes at the same moment', async () => {
    const ctx = await host();
    for (let round = 0; round < 10; round++) {
      const { id } = await create(ctx, { currency: 'USD', full_rate: 50 });
      const settled = await Promise.allSettled([
        updateListing(
          ctx,
          { ...at(id), body: { currency: 'VND' } }.params.listing_id,
          { ...at(id), body: { currency: 'VND' } }.body,
        ),
        addPricePart(ctx, 'rules', id, { ...rule, price: 0.5 }),
      ]);
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const listing = await deps.table.get(ListingEntity, { id });
      const rules = await listPriceParts(ctx, 'rules', id);
      expect(listing?.currency).toBe(rules.length === 1 ? 'USD' : 'VND');
    }
  });
});

describe('the price preview', () => {
  it('reads everything in one round trip, with fifty rules too', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const rules = Array.from({ length: 50 }, () => ({ ...rule, id: freshId(), listing_id: id }));
    await fill(id, { rules });
    const operations: string[] = [];
    const measured = { ...ctx, table: ctx.table.measured(({ operation }) => operations.push(operation)) };
    const body = {
      listing_id: id,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-06',
      guest_number: 2,
    };
    expect(await previewPrice(measured, body)).toMatchObject({ base_price: 1_800_000 });
    expect(operations).toEqual(['batch-get']);
  });
});
