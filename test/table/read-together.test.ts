import { beforeAll, describe, expect, it } from 'vitest';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { previewCheckout } from '../../shared/domain/checkout/preview-checkout.ts';
import { ListingViewsEntity } from '../../shared/domain/listing/listing-views.store.ts';
import { addPricePart } from '../../shared/domain/pricing/price-parts.ts';
import { previewPrice } from '../../shared/domain/pricing/preview-price.ts';
import { JoinedReads, put, readOf, readTogether, remove, Table } from '../../shared/platform/table/index.ts';
import { hostWorld } from '../support/host-world.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';
import { leavingUnprocessed } from '../support/unprocessed.ts';
import { senderOf } from '../support/sender.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});

const views = (listing_id: number) => readOf(ListingViewsEntity, { listing_id });
const setViews = (id: number, count: number) =>
  deps.table.put(put(ListingViewsEntity, { listing_id: id, views: count }));
const counted = async (): Promise<number> => {
  const id = freshId();
  await setViews(id, 1);
  return id;
};
const isOf = (id: number) => (key: Record<string, unknown>) => key['pk'] === `LISTING#${id}`;
const countsOf = (found: readonly ({ views: number } | undefined)[]) => found.map((one) => one?.views);

describe('items that are read together', () => {
  it.each([0, 1])('are those of one request where the one at %i comes back unprocessed', async (at) => {
    const [alone, one, other] = [await counted(), await counted(), await counted()];
    const { table, asked } = await leavingUnprocessed(isOf([one, other][at]!), async () => {
      await setViews(one, 2);
      await setViews(other, 2);
    });
    const found = await table.getAll([views(alone), ...readTogether(views(one), views(other))]);
    expect(countsOf(found)).toEqual([1, 2, 2]);
    expect(asked.map((keys) => keys.length)).toEqual([3, 2]);
  });

  it('are not read again for another’s key', async () => {
    const [alone, one, other] = [await counted(), await counted(), await counted()];
    const { table, asked } = await leavingUnprocessed(isOf(alone), () => setViews(one, 2));
    const found = await table.getAll([views(alone), ...readTogether(views(one), views(other))]);
    expect(countsOf(found)).toEqual([1, 1, 1]);
    expect(asked.map((keys) => keys.length)).toEqual([3, 1]);
  });

  it('are absent where they are deleted before they are read again', async () => {
    const [one, other] = [await counted(), await counted()];
    const { table } = await leavingUnprocessed(isOf(other), () =>
      deps.table.transact([remove(ListingViewsEntity, { listing_id: one })]),
    );
    expect(countsOf(await table.getAll(readTogether(views(one), views(other))))).toEqual([undefined, 1]);
  });

  it('are one with others that share an item with them', async () => {
    const [one, shared, other] = [await counted(), await counted(), await counted()];
    const { table } = await leavingUnprocessed(isOf(other), () => setViews(one, 2));
    const found = await table.getAll([
      ...readTogether(views(one), views(shared)),
      ...readTogether(views(other), views(shared)),
    ]);
    expect(countsOf(found)).toEqual([2, 1, 1, 1]);
  });

  it('are one where workers join their reads, also with who asks for one of them alone', async () => {
    const [one, other] = [await counted(), await counted()];
    const { table, asked } = await leavingUnprocessed(isOf(other), () => setViews(one, 2));
    const joined = table.joiningReads(JoinedReads);
    const [alone, both] = await Promise.all([
      joined.get(ListingViewsEntity, { listing_id: one }),
      joined.getAll(readTogether(views(one), views(other))),
    ]);
    expect(countsOf([alone, ...both])).toEqual([2, 2, 1]);
    expect(asked.map((keys) => keys.length)).toEqual([2, 2]);
  });

  it('are in one request of a hundred', async () => {
    const sizes: number[] = [];
    const send = async ({ input }: { input: { RequestItems: { any: { Keys: { pk: string }[] } } } }) => {
      const { Keys } = input.RequestItems.any;
      sizes.push(Keys.length);
      expect(Keys.filter(({ pk }) => ['LISTING#1000', 'LISTING#1001'].includes(pk)).length % 2).toBe(0);
      return {};
    };
    const table = new Table({ client: senderOf(send), tableName: 'any' });
    const others = Array.from({ length: 99 }, (_, at) => views(at));
    await table.getAll([...others, ...readTogether(views(1000), views(1001)), views(2000)]);
    expect(sizes).toEqual([99, 3]);
  });

  it('fail together where one stays unprocessed, and other reads do not', async () => {
    const keyOf = (listing_id: number) => ListingViewsEntity.key({ listing_id });
    let answers = 0;
    const send = async () => ({
      Responses: {
        any: answers++ === 0 ? [1, 2].map((id) => ({ ...keyOf(id), listing_id: id, views: 3 })) : [],
      },
      UnprocessedKeys: { any: { Keys: [keyOf(3)] } },
    });
    const table = new Table({ client: senderOf(send), tableName: 'any' });
    const joined = table.joiningReads(JoinedReads);
    const [alone, together] = await Promise.allSettled([
      joined.getAll([views(1)]),
      joined.getAll(readTogether(views(2), views(3))),
    ]);
    expect(alone).toMatchObject({ value: [{ listing_id: 1, views: 3 }] });
    expect(together).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(answers).toBe(6);
  });
});

describe('a price while the host changes currency and prices, and the table leaves keys unprocessed', () => {
  const { host, guest, create, patch } = hostWorld(() => deps);
  const dates = { check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 };
  const rule = {
    date_type: 'ALWAYS' as const,
    charge_unit: 'PER_NIGHT' as const,
    stay_type: 'ANY' as const,
    ...{ price: 50, priority: 1, day_of_week: null, date_from: null, date_to: null, is_active: true },
  };

  /** A listing at 1,000,000 dong; 50 dollars when the unprocessed key is asked for again. */
  const scene = async (sk: string) => {
    const [ctx, visitor] = [await host(), await guest()];
    const { id } = await create(ctx, { refund_rule: 'Full refund until check-in' });
    const { table } = await leavingUnprocessed(
      (key) => isOf(id)(key) && key['sk'] === sk,
      async () => {
        await patch(ctx, id, { currency: 'USD', full_rate: 60 });
        await addPricePart(ctx, 'rules', id, rule);
      },
    );
    return { ctx, visitor: { ...visitor, table }, stay: { listing_id: id, ...dates } };
  };
  const later = { currency: 'USD', total: 150 };

  it.each(['LISTING', 'PRICE_PARTS'])('of a booking is one that was in force (%s)', async (sk) => {
    const { visitor, stay } = await scene(sk);
    const booked = await confirmCheckout(visitor, { items: [stay], payment_method: 'CASH' });
    expect({ currency: booked.currency, total: booked.estimated_total }).toEqual(later);
  });

  it.each(['LISTING', 'PRICE_PARTS'])('of a preview too (%s)', async (sk) => {
    const { visitor, stay } = await scene(sk);
    const { currency, estimated_total: total } = await previewCheckout(visitor, { items: [stay] });
    expect({ currency, total }).toEqual(later);
  });

  it.each(['LISTING', 'PRICE_PARTS'])('of a price preview too (%s)', async (sk) => {
    const { visitor, stay } = await scene(sk);
    const { currency, total_price: total } = await previewPrice(visitor, stay);
    expect({ currency, total }).toEqual(later);
  });

  it.each(['LISTING', 'PRICE_PARTS'])('of a change too, whose booking is in dong (%s)', async (sk) => {
    const { ctx, visitor, stay } = await scene(sk);
    const before = { ...visitor, table: deps.table };
    const booked = await confirmCheckout(before, { items: [stay], payment_method: 'CASH' });
    const longer = { check_out_date: '2027-02-08' };
    await expect(
      changeBooking({ ...ctx, table: visitor.table }, booked.reservations[0]!.id, longer),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: 'listing_id' }] } });
  });
});
