import { beforeAll, describe, expect, it } from 'vitest';
import { updateWeeklyPrices } from '../../shared/domain/listing/weekly-prices.ts';
import { addPricePart, changePricePart, removePricePart } from '../../shared/domain/pricing/price-parts.ts';
import type { Context } from '../../shared/platform/context.ts';
import type { Write } from '../../shared/platform/table/index.ts';
import { at, hostWorld } from '../support/host-world.ts';
import { type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, create, patch, read } = hostWorld(() => deps);
type Host = Awaited<ReturnType<typeof host>>;

const unpriced = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'full_rate' }] } };
const refused = (done: Promise<unknown>) => expect(done).rejects.toMatchObject(unpriced);

const rule = {
  date_type: 'ALWAYS' as const,
  day_of_week: null,
  date_from: null,
  date_to: null,
  charge_unit: 'PER_NIGHT' as const,
  stay_type: 'ANY' as const,
  price: 900_000,
  priority: 0,
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
const free = { full_rate: 0, state: 'DRAFT' as const };

/** The same context, where something else is committed just before its first commit. */
const overtaken = (ctx: Host, by: () => Promise<unknown>): Host => {
  let first = true;
  const commit: Context['commit'] = async (writes: readonly Write[], body) => {
    if (first) {
      first = false;
      await by();
    }
    return ctx.commit(writes, body);
  };
  return { ...ctx, commit };
};

describe('a listing without any price', () => {
  it('is a draft at most: not created ACTIVE, not published', async () => {
    const ctx = await host();
    await refused(create(ctx, { full_rate: 0 }));
    await refused(create(ctx, { full_rate: 0, price_first_hours: 200_000 }));
    const { id } = await create(ctx, free);
    await refused(patch(ctx, id, { state: 'ACTIVE' }));
    await refused(patch(ctx, id, { state: 'ACTIVE', cleaning_fee: 100_000, monthly_price: 9_000_000 }));
    expect((await read(id)).state).toBe('DRAFT');
  });

  it.each([
    ['a full rate', { full_rate: 1 }],
    ['a weekday price', { prices_by_week: { '6': 900_000 } }],
    ['the first hours', { allow_hourly_booking: true, price_first_hours: 200_000 }],
    ['a price per hour', { allow_hourly_booking: true, price_per_hour: 90_000 }],
  ])('is published with %s', async (_, price) => {
    const ctx = await host();
    const { id } = await create(ctx, free);
    expect(await patch(ctx, id, { state: 'ACTIVE', ...price })).toMatchObject({ state: 'ACTIVE' });
    expect(await create(ctx, { full_rate: 0, ...price })).toMatchObject({ state: 'ACTIVE' });
  });

  it('is published with a rule or a combo that can still be booked', async () => {
    const ctx = await host();
    const publish = async (add: (id: number) => Promise<unknown>) => {
      const { id } = await create(ctx, free);
      await add(id);
      return patch(ctx, id, { state: 'ACTIVE' });
    };
    const ruled = (given: object) => publish((id) => addPricePart(ctx, 'rules', id, { ...rule, ...given }));
    const bundled = (given: object) =>
      publish((id) => addPricePart(ctx, 'combos', id, { ...combo, ...given }));
    const dated = { date_type: 'DATE_RANGE', date_from: '2027-01-01' };
    await refused(ruled({ is_active: false }));
    await refused(ruled({ price: 0 }));
    await refused(ruled({ ...dated, date_to: '2027-01-14' }));
    await refused(bundled({ is_active: false }));
    await refused(bundled({ discounted_price: 0 }));
    expect((await ruled({ ...dated, date_to: '2027-01-15' })).state).toBe('ACTIVE');
    expect((await ruled({})).state).toBe('ACTIVE');
    expect((await bundled({})).state).toBe('ACTIVE');
  });
});

describe('the last price of an ACTIVE listing', () => {
  it('is not taken by PATCH, by the weekly prices or with its rule', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    await refused(patch(ctx, id, { full_rate: 0 }));
    await patch(ctx, id, { full_rate: 0, prices_by_week: { '6': 900_000 } });
    const weekly = (price: number) =>
      updateWeeklyPrices(
        ctx,
        { ...at(id), body: { base_price_by_weekday: { '6': price } } }.params.listing_id,
        { ...at(id), body: { base_price_by_weekday: { '6': price } } }.body,
      );
    await refused(weekly(0));
    const { id: ruleId } = await addPricePart(ctx, 'rules', id, rule);
    await weekly(0);
    await refused(removePricePart(ctx, 'rules', { id: ruleId }));
    await refused(changePricePart(ctx, 'rules', { id: ruleId }, { is_active: false }));
    await changePricePart(ctx, 'rules', { id: ruleId }, { price: 1_000_000 });
    await patch(ctx, id, { name: 'Nhà mới' });
    await patch(ctx, id, { state: 'INACTIVE' });
    await removePricePart(ctx, 'rules', { id: ruleId });
    await refused(patch(ctx, id, { state: 'ACTIVE' }));
  });

  it('is not lost to a rule that goes while the listing is published', async () => {
    const ctx = await host();
    const { id } = await create(ctx, free);
    const { id: ruleId } = await addPricePart(ctx, 'rules', id, rule);
    const slow = overtaken(ctx, () => removePricePart(ctx, 'rules', { id: ruleId }));
    await refused(patch(slow, id, { state: 'ACTIVE' }));
    expect((await read(id)).state).toBe('DRAFT');
  });

  it('is not lost to a listing that is published while its rule goes', async () => {
    const ctx = await host();
    const { id } = await create(ctx, free);
    const { id: ruleId } = await addPricePart(ctx, 'rules', id, rule);
    const slow = overtaken(ctx, () => patch(ctx, id, { state: 'ACTIVE' }));
    await refused(removePricePart(slow, 'rules', { id: ruleId }));
    expect((await read(id)).state).toBe('ACTIVE');
  });
});
