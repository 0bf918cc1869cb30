import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { unpaidStayLimit } from '../../platform/settings.ts';
import { absent, equals, put, type Read, readOf, type Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { isUnsecured } from '../booking/index.ts';
import { type Order, type Reservation, reservationRead } from '../booking/model.ts';
import type { ConfirmRequest } from './checkout.schema.ts';
import { type UnpaidStays, UnpaidStaysEntity } from './checkout.store.ts';

/** Returns the keys of the items that count the unpaid stays; none for a payment by token or without a limit. */
export const unpaidRead = (
  { caller }: Context<UserCaller>,
  { payment_gateway_token: token }: Pick<ConfirmRequest, 'payment_gateway_token'>,
): Read<UnpaidStays>[] =>
  token !== undefined || unpaidStayLimit() === null ? [] : [readOf(UnpaidStaysEntity, caller)];

/**
 * Returns the write that counts an order's unpaid stays, on condition that no other confirm has changed the count, or
 * throws TOO_MANY_UNPAID_BOOKINGS (D85). The bookings are read only if the count has reached the limit: those paid,
 * cancelled or started meanwhile no longer count. A stay whose start has passed is read too: a change may have moved it.
 */
export const countUnpaid = async (
  ctx: Context<UserCaller>,
  found: UnpaidStays | undefined,
  order: Order,
): Promise<Write[]> => {
  const limit = unpaidStayLimit();
  if (limit === null) return [];
  const { user_id } = ctx.caller;
  const before = found ?? { user_id, version: 0, begins: {} };
  const now = ctx.clock.now();
  let known = Object.entries(before.begins);
  const added = order.items.map((item) => [item.reservation_id, countedUntil(item, now)] as const);
  if (known.length + added.length > limit)
    known = await stillUnpaid(
      ctx,
      known.map(([id]) => Number(id)),
    );
  if (known.length + added.length > limit)
    throw tooMany(
      limit,
      known.map(([id]) => Number(id)),
      added.length,
    );
  return [
    put(
      UnpaidStaysEntity,
      { user_id, version: before.version + 1, begins: Object.fromEntries([...known, ...added]) },
      { when: before.version === 0 ? absent() : equals('version', before.version) },
    ),
  ];
};

/** A stay counts until it begins; one that is booked after its check-in hour counts until it ends. */
const countedUntil = (
  { start_at, end_at, timezone }: Pick<Reservation, 'start_at' | 'end_at' | 'timezone'>,
  bookedAt: number,
): number => {
  const begins = toInstant(start_at, timezone);
  return begins > bookedAt ? begins : toInstant(end_at, timezone);
};

const stillUnpaid = async (
  { table, clock }: Context,
  ids: readonly number[],
): Promise<[id: string, begins: number][]> => {
  const stays = await table.getAll(ids.map(reservationRead));
  return stays
    .filter((stay) => stay !== undefined)
    .filter(isUnsecured)
    .map((stay): [string, number] => [
      String(stay.reservation_id),
      countedUntil(stay, Date.parse(stay.created_at)),
    ])
    .filter(([, begins]) => begins > clock.now());
};

const tooMany = (limit: number, unpaid: number[], added: number): ServiceError =>
  new ServiceError(
    'TOO_MANY_UNPAID_BOOKINGS',
    `At most ${limit} future stays may be unpaid at a time; these would make ${unpaid.length + added}. Pay for some of them first, or confirm with a payment_gateway_token.`,
    { limit, count: unpaid.length, bookings: unpaid.sort((one, other) => one - other) },
  );
