import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { equals, paginate, put, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hostedBooking, payableStays, payByTransfer, restoreByTransfer } from '../booking/index.ts';
import { isLapsed, requireOneTransaction } from '../booking/model.ts';
import { type BankTransfer, BankTransferEntity } from './bank-transfer.entity.ts';
import type { BankTransfer as Shown } from './bank-transfer.schema.ts';

type Ctx = Context<UserCaller>;

const managedTeam = ({ caller, teamHeader }: Ctx): number => actingTeam(caller, teamHeader, 'manage');

/** Returns the transfers to the accounts of the acting team in a state, newest first (D130). */
export const listTransfers = async (
  ctx: Ctx,
  state: BankTransfer['state'],
  paging: PagingQuery,
): Promise<PageOf<Shown>> => {
  const pk = BankTransferEntity.partition({ team_id: managedTeam(ctx), state }, 'by_team');
  const page = await paginate(
    ctx.table,
    BankTransferEntity,
    { index: 'by_team', pk, descending: true },
    paging,
  );
  return { ...page, items: page.items.map(present) };
};

/**
 * Pays a booking with what is left of a transfer, as far as the booking is unpaid, and restores one that lapsed. Throws
 * BOOKING_NOT_FOUND for one of another team, INVALID_STATE_TRANSITION where nothing is left, or nothing can be paid now, and
 * LISTING_NOT_AVAILABLE where the time of a lapsed one is taken.
 */
export const assignTransfer = (ctx: Ctx, transferId: string, bookingId: number): Promise<Shown> =>
  retryOnConflict(async () => {
    const before = await openTransfer(ctx, transferId);
    const found = await hostedBooking(ctx, bookingId, 'manage');
    const due = payableStays(found);
    if (due.some(({ team_id, currency }) => team_id !== before.team_id || currency !== before.currency))
      throw new ServiceError('BOOKING_NOT_FOUND');
    const { bank_reference: reference, received_at, rest: amount } = before;
    const given = { amount, reference, received_at };
    const payment = due.some(isLapsed)
      ? await restoreByTransfer(ctx, due, given, { isByPerson: true })
      : { ...payByTransfer(ctx, due, given), beside: [] };
    if (payment instanceof ServiceError) throw payment;
    const { paid, rest, beside } = payment;
    const bookingIds = [...before.booking_ids, ...paid.map((stay) => stay.before.reservation_id)];
    const set = { rest, state: rest > 0 ? ('OPEN' as const) : ('MATCHED' as const), booking_ids: bookingIds };
    return commit(ctx, before, set, [...paid.flatMap(({ writes }) => writes), ...beside]);
  });

/** Notes that what is left of a transfer went back, or that nothing is to be done with it. */
export const returnTransfer = (ctx: Ctx, transferId: string, note: string): Promise<Shown> =>
  retryOnConflict(async () =>
    commit(ctx, await openTransfer(ctx, transferId), { state: 'RETURNED' as const, note }, []),
  );

const openTransfer = async (ctx: Ctx, transferId: string): Promise<BankTransfer> => {
  const ids = { team_id: managedTeam(ctx), transfer_id: transferId };
  const found = await ctx.table.get(BankTransferEntity, ids);
  if (!found) throw new ServiceError('NOT_FOUND', 'The team has no such transfer.');
  if (found.state === 'OPEN') return found;
  throw new ServiceError('INVALID_STATE_TRANSITION', 'Nothing is left of the transfer.', {
    state: found.state,
  });
};

const commit = (
  ctx: Ctx,
  before: BankTransfer,
  fields: Partial<Pick<BankTransfer, 'state' | 'rest' | 'booking_ids' | 'note'>>,
  beside: readonly Write[],
): Promise<Shown> => {
  const now = instantText(ctx.clock.now());
  const after = { ...before, ...fields, version: before.version + 1, updated_at: now };
  // Its state is a key of the index.
  const writing = put(BankTransferEntity, after, { when: equals('version', before.version) });
  return ctx.commit(requireOneTransaction([writing, ...beside], 'pay'), present(after));
};

const present = (transfer: BankTransfer): Shown => {
  const { transfer_id, state, amount, rest, currency, account_number, bank_reference, text } = transfer;
  return {
    ...{ id: transfer_id, state, amount, rest, currency, account_number, bank_reference, text },
    booking_ids: transfer.booking_ids,
    named_booking_ids: transfer.named_orders,
    note: transfer.note ?? null,
    received_at: transfer.received_at,
  };
};
