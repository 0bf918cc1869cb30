import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarMonthEntity, readFamily } from '../../shared/domain/calendar/calendar.store.ts';
import { committedHours } from '../../shared/domain/calendar/committed-hours.store.ts';
import { familyMonths } from '../../shared/domain/calendar/month.rules.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { interrupted } from '../support/interrupted.ts';
import { type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testTableName } from '../support/table.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const month = '2027-02';

let s: PaymentScene;
let house: { id: number };
let rooms: { id: number }[];
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
  ({ house, rooms } = await s.house(3));
});

const stay = ({ id }: { id: number }, from: number, to: number) => ({
  listing_id: id,
  check_in_date: `${month}-${String(from).padStart(2, '0')}`,
  check_out_date: `${month}-${String(to).padStart(2, '0')}`,
  guest_number: 1,
});
const confirm = (...items: ReturnType<typeof stay>[]) =>
  confirmCheckout(s.guest, { items, payment_method: 'CASH' });
const refused = { code: 'LISTING_NOT_AVAILABLE' };

/** Replaces the months of a family by the one of version 1. */
const replaceByOld = async (claims: object = {}): Promise<void> => {
  const TableName = await testTableName();
  const items = await readFamily(s.deps.table, house.id, { first: month, last: month });
  const [family] = familyMonths(items);
  const locks = Object.entries(family?.locks ?? {}).map(([id, lock]) => [id, lock] as const);
  for (const item of items)
    await client.send(new DeleteCommand({ TableName, Key: { ...CalendarMonthEntity.key(item) } }));
  await putOld(month, {
    taken: family?.taken ?? {},
    claims: { ...Object.fromEntries(locks), ...claims },
  });
};

const putOld = async (at: string, hours: { taken?: object; claims?: object }): Promise<void> => {
  const ids = { calendar_id: house.id, month: at };
  const key = CalendarMonthEntity.key({ ...ids, listing_id: house.id });
  const Item = { ...key, entity: 'CalendarMonth', ...ids, version: 7, taken: {}, claims: {}, ...hours };
  await client.send(new PutCommand({ TableName: await testTableName(), Item }));
};

const months = () => readFamily(s.deps.table, house.id, { first: month, last: month });

describe('a CalendarMonth of version 1', () => {
  it('has the hours of a whole family, until a write gives each listing its own month', async () => {
    await confirm(stay(rooms[0]!, 4, 6));
    await confirm(stay(rooms[1]!, 5, 7));
    const booked = {
      listing_id: rooms[2]!.id,
      order_id: 16,
      holder: 'user:1',
      from: 230,
      to: 250,
      until: null,
    };
    await replaceByOld({ 77: booked });
    const before = await committedHours(s.deps.table, house.id, month);
    await expect(confirm(stay(house, 4, 5))).rejects.toMatchObject(refused);
    await expect(confirm(stay(rooms[2]!, 10, 11))).rejects.toMatchObject(refused);
    expect(await months()).toHaveLength(1);
    await confirm(stay(rooms[0]!, 6, 7));
    const now = await months();
    expect(now.map(({ listing_id }) => listing_id).sort()).toEqual(
      [house, ...rooms].map(({ id }) => id).sort(),
    );
    expect(now.filter((item) => item.before)).toEqual([]);
    const after = await committedHours(s.deps.table, house.id, month);
    for (const { id } of rooms.slice(1)) expect(after(id)).toEqual(before(id));
    await expect(confirm(stay(house, 5, 6))).rejects.toMatchObject(refused);
    await confirm(stay(house, 8, 9));
    await expect(confirm(stay(rooms[1]!, 8, 9))).rejects.toMatchObject(refused);
  });

  it('is replaced once by writers at the same time', async () => {
    await confirm(stay(rooms[0]!, 4, 6));
    await replaceByOld();
    const asked = [stay(house, 5, 6), ...rooms.map((room) => stay(room, 10, 11)), stay(house, 10, 11)];
    const answers = await Promise.allSettled(asked.map((one) => confirm(one)));
    const [first, ...others] = answers.map(({ status }) => status);
    expect(first).toBe('rejected');
    const rest = others.slice(0, 3).filter((status) => status === 'fulfilled').length;
    expect(others[3] === 'fulfilled' ? rest : rest - 3).toBe(0);
  });

  it('is not replaced over a booking that came in between', async () => {
    await replaceByOld();
    const ctx = interrupted(s.guest, () => confirm(stay(house, 4, 6)));
    const booked = confirmCheckout(ctx, { items: [stay(house, 5, 7)], payment_method: 'CASH' });
    await expect(booked).rejects.toMatchObject(refused);
  });

  it('keeps its soft locks, which are extended, and confirmed at the price that they hold', async () => {
    const { checkout_id, preview } = await createCheckout(s.guest, { items: [stay(rooms[0]!, 4, 6)] });
    await replaceByOld();
    await expect(blockTime(s.owner, house.id, { block_date: `${month}-05` })).rejects.toMatchObject(refused);
    await extendCheckout(s.guest, checkout_id);
    await replaceByOld();
    await updateListing(s.owner, rooms[0]!.id, { full_rate: 9_000_000 });
    const { reservations } = await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    expect(reservations.map(({ total_price }) => total_price)).toEqual([preview.items[0]!.total]);
    await expect(blockTime(s.owner, house.id, { block_date: `${month}-05` })).rejects.toMatchObject(refused);
  });

  it('is replaced before the write that needs it, so that many rooms and months fit', async () => {
    const others = await Promise.all(
      Array.from({ length: 12 }, () => s.listing({ parent_listing_id: house.id })),
    );
    const months = ['2027-02', '2027-03', '2027-04', '2027-05', '2027-06', '2027-07', '2027-08', '2027-09'];
    const taken = Object.fromEntries(others.map(({ id }) => [id, new Uint8Array(93).fill(255, 0, 3)]));
    for (const at of months) await putOld(at, { taken });
    const items = [{ ...stay(rooms[0]!, 4, 5), check_out_date: '2027-09-01' }];
    await confirmCheckout(s.guest, { items, payment_method: 'CASH' });
    await expect(confirm(stay(others[0]!, 1, 2))).rejects.toMatchObject(refused);
  });
});
