import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { RawRequest } from '../../platform/http/route.ts';
import { validSecrets } from '../../platform/secrets/overlap.ts';
import { conditionCheck, create, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { isUnpaid, payByTransfer, type Restored, restoreByTransfer } from '../booking/index.ts';
import {
  findOrder,
  isLapsed,
  type Reservation,
  ReservationEntity,
  unchangedSince,
} from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { TeamAccountsEntity } from './bank-account.entity.ts';
import { BankTransferEntity, transferIdOf } from './bank-transfer.entity.ts';
import type { ReportProvider } from './bank-transfer.schema.ts';
import { type BankReport, readReport } from './read-report.rules.ts';
import { ordersIn } from './reference.rules.ts';
import { placeOfKey, type ReportKey, ReportKeyEntity, secretsOf } from './report-key.entity.ts';

/** A text holds one reference; others are digits that look like one. */
const mostNamed = 5;

/** A report on the account of a team, as it came. */
interface ReportRequest {
  provider: ReportProvider;
  team_id: number;
  raw: RawRequest;
}

/**
 * Takes a reporter's signed report of money that has come to an account of a team (D130), once for each account and transaction of
 * the bank: it pays the booking whose reference its text holds, as far as that is unpaid, and restores one that lapsed; what is left
 * is on the list of the team. Throws NOT_FOUND for a reporter that the team has not, UNAUTHORIZED, and VALIDATION_ERROR for a body that is not
 * as published.
 */
export const takeReport = async (
  from: Context,
  { provider, team_id: teamId, raw }: ReportRequest,
  clock: Clock,
): Promise<void> => {
  const ids = { team_id: teamId, provider };
  const key = await from.table.get(ReportKeyEntity, ids);
  const secrets = key ? await openSecrets(from, key) : [];
  if (secrets.length === 0)
    throw new ServiceError('NOT_FOUND', 'The team takes no reports of this provider.');
  const report = readReport(provider, secrets, raw, clock.now());
  const known = report && (await from.table.get(TeamAccountsEntity, { team_id: teamId }));
  if (!report || !known?.accounts.some((one) => one.account_number === report.account_number)) return;
  const ctx: Context = { ...from, caller: { kind: 'system', name: `bank-transfers:${provider}` } };
  // The clock of a bank may be ahead.
  const receivedAt = Math.min(Date.parse(report.received_at), ctx.clock.now());
  const received = { ...report, received_at: instantText(receivedAt) };
  await retryOnConflict(() => settle(ctx, teamId, received));
};

/** Returns the keys that sign now (D149). */
const openSecrets = async ({ clock, sealing }: Context, key: ReportKey): Promise<string[]> => {
  const opened = await Promise.all(
    validSecrets(secretsOf(key), clock.now()).map(({ sealed }) => sealing().open(sealed, placeOfKey(key))),
  );
  return opened.flatMap((secret) => secret?.toString() ?? []);
};

const settle = async (ctx: Context, teamId: number, report: BankReport): Promise<void> => {
  const transferId = transferIdOf(report);
  const ids = { team_id: teamId, transfer_id: transferId };
  if (await ctx.table.get(BankTransferEntity, ids)) return;
  const named = await ordersOf(ctx, teamId, ordersIn(report.text).slice(0, mostNamed));
  const { paid, rest, beside } = await payFirst(ctx, named, report);
  const now = instantText(ctx.clock.now());
  const { id: bankReference, account_number, amount, currency, text, received_at } = report;
  const transfer = {
    ...{ ...ids, state: rest > 0 ? ('OPEN' as const) : ('MATCHED' as const), amount, rest, currency, text },
    ...{ account_number, bank_reference: bankReference, received_at, version: 1 },
    named_orders: named.flatMap(([stay]) => stay?.order_id ?? []),
    booking_ids: paid.map(({ before }) => before.reservation_id),
    ...{ created_at: now, updated_at: now },
  };
  const writes = [create(BankTransferEntity, transfer), ...paid.flatMap((stay) => stay.writes), ...beside];
  await conflictWhenTaken(() => ctx.table.transact(writes));
};

/** Returns the stays of a team by orders that exist. */
const ordersOf = async (
  { table }: Context,
  teamId: number,
  orderIds: readonly number[],
): Promise<Reservation[][]> => {
  const found = await Promise.all(orderIds.map((id) => findOrder(table, id)));
  return found
    .map(({ reservations }) => reservations.filter(({ team_id }) => team_id === teamId))
    .filter((stays) => stays.length > 0);
};

const payFirst = async (
  ctx: Context,
  orders: readonly Reservation[][],
  report: BankReport,
): Promise<Restored> => {
  const given = { ...report, reference: report.id };
  const unrestored: Write[] = [];
  for (const stays of orders) {
    const payable = stays.filter(
      (stay) => stay.currency === report.currency && (isLapsed(stay) || isPaidByTransfer(stay)),
    );
    const lapsed = payable.filter(isLapsed);
    if (lapsed.length > 0) {
      const restored = await restoreByTransfer(ctx, payable, given);
      if (!(restored instanceof ServiceError)) return restored;
      // Another transfer may have taken their time, which has left something to pay.
      unrestored.push(
        ...lapsed.map((stay) => conditionCheck(ReservationEntity, stay, { when: unchangedSince(stay) })),
      );
    }
    const due = payable.filter(isPaidByTransfer);
    if (due.length > 0) return { ...payByTransfer(ctx, due, given, { keepsTime: true }), beside: unrestored };
  }
  return { paid: [], rest: report.amount, beside: unrestored };
};

/** What waits for its host, or for the payment of a change, a person looks at. */
const isPaidByTransfer = (stay: Reservation): boolean =>
  stay.payment_method === 'BANK_TRANSFER' &&
  isUnpaid(stay) &&
  stay.state !== 'PENDING' &&
  stay.pending_change === undefined;
