import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Reservation, ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { BookingState, PaymentStatus } from '../../shared/domain/booking/booking-state.schema.ts';
import { newOrderId, reservationIdOf } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { freshId } from './builders.ts';
import { testTableName } from './test-table.ts';

const dayMs = 86_400_000;

/** Returns a seeded random generator of numbers from 0 to 1. */
export const chanceOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const surnames = ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Hoàng', 'Huỳnh', 'Phan', 'Vũ', 'Võ', 'Đặng', 'Bùi', 'Đỗ'];
const middles = ['Văn', 'Thị', 'Minh', 'Ngọc', 'Thanh', 'Đức', 'Hồng', 'Quang'];
const givens = ['An', 'Bình', 'Chi', 'Dương', 'Giang', 'Hà', 'Khánh', 'Linh', 'Nam', 'Phúc', 'Thảo', 'Yến'];

interface Many {
  team_id: number;
  count: number;
  /** When the last booking was created, in epoch milliseconds. */
  until: number;
  /** Days over which they were created. */
  days?: number;
  listings?: number;
  seed?: number;
  user_id?: number | null;
}

/** Returns bookings as the service stores them, over a year at forty listings, in varied states. */
export const manyStays = ({
  team_id,
  count,
  until,
  days = 365,
  listings = 40,
  seed = 1,
  user_id = null,
}: Many): Reservation[] => {
  const chance = chanceOf(seed);
  const below = (most: number) => Math.floor(chance() * most);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const homes = Array.from({ length: listings }, freshId);
  const moments = Array.from({ length: count }, () => until - below(days * dayMs)).sort((a, b) => a - b);
  return moments.map((made, at) => {
    const order_id = newOrderId({ now: () => made });
    const check_in_date = addDays(
      new Date(made).toISOString().slice(0, 10),
      Math.floor(-Math.log(1 - chance()) * 40) % 300,
    );
    const nights = 1 + (Math.floor(-Math.log(1 - chance()) * 2.5) % 28);
    const check_out_date = addDays(check_in_date, nights);
    const ended = Date.parse(`${check_out_date}T05:00:00Z`) + dayMs + below(3_600_000);
    const isCancelled = chance() < 0.12;
    const state: BookingState = isCancelled ? 'CANCELLED' : ended < until ? 'COMPLETED' : 'CONFIRMED';
    const changed = isCancelled
      ? Math.min(until, made + below(20 * dayMs))
      : ended < until
        ? ended
        : Math.min(until, made + (chance() < 0.7 ? below(dayMs) : 0));
    const payment_status: PaymentStatus =
      state === 'COMPLETED' ? 'PAID' : isCancelled && chance() < 0.5 ? 'REFUNDED' : one(['PAID', 'PENDING']);
    const full_name = `${one(surnames)} ${one(middles)} ${one(givens)}`;
    const home = below(listings);
    return {
      ...{ order_id, reservation_id: reservationIdOf(order_id, 0), availability_id: freshId() },
      ...{
        listing_id: homes[home]!,
        listing_name: `Biệt thự số ${home} bên sông Hàn`,
        calendar_id: homes[home]!,
      },
      ...{ team_id, state, payment_status, check_in_date, check_out_date, nights },
      payment_method: at % 4 === 3 ? 'BANK_TRANSFER' : 'CASH',
      ...{ start_at: `${check_in_date}T14:00:00`, end_at: `${check_out_date}T12:00:00` },
      ...{ timezone: 'Asia/Ho_Chi_Minh', guest_number: 2, total: 1_000_000 * nights, currency: 'VND' },
      refund_notice_hours: 72,
      guest: {
        ...{ user_id, full_name, language: 'vi', email: `guest${seed}-${at}@example.com` },
        phone: `+84 9${String(at).padStart(8, '0')}`,
      },
      ...{
        key_id: 71,
        external_system: 'stayhub',
        external_booking_id: chance() < 0.6 ? `SH-${seed}-${at}` : null,
      },
      created_at: new Date(made).toISOString(),
      updated_at: new Date(changed).toISOString(),
    } satisfies Reservation;
  });
};

/** Writes items directly, 25 at a time. */
export const writeMany = async (items: readonly Record<string, unknown>[]): Promise<void> => {
  const tableName = await testTableName();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const writeSome = async (from: number): Promise<void> => {
    for (let at = from; at < items.length; at += 4 * 25) {
      const Items = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: Items } }));
    }
  };
  await Promise.all([0, 25, 50, 75].map(writeSome));
  client.destroy();
};

export const storeStays = (stays: readonly Reservation[]): Promise<void> =>
  writeMany(stays.map((stay) => stored(ReservationEntity, stay)));
