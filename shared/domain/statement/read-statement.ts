import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { readOf } from '../../platform/table/index.ts';
import { addDays, dayNumber, hourMs, today } from '../../platform/time/time.ts';
import {
  OrderEntity,
  type Reservation,
  type StaySpan,
  teamStaysWithin,
  thawQuote,
} from '../booking/model.ts';
import { requireWithinCalendar } from '../calendar/index.ts';
import { teamListings } from '../listing/model.ts';
import { bookableDaysAhead } from '../pricing/model.ts';
import { monthEnd, monthOfStay, movesPrice, statementRows, withCommission } from './statement.rules.ts';
import type { Statement } from './statement.schema.ts';

/**
 * Returns what a month has brought the acting team, by listing and currency (D132), each stay by its own time zone. Throws
 * VALIDATION_ERROR for a month in which nothing can be booked yet.
 */
export const readStatement = async (ctx: Context, month: string): Promise<Statement> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'own');
  requireMonth(ctx, month);
  const [stays, listings] = await Promise.all([
    teamStaysWithin(ctx, teamId, spanOf(month)),
    teamListings(ctx.table, teamId),
  ]);
  const months = stays.map((stay) => monthOfStay(stay, month));
  const rates = await commissionRates(
    ctx,
    months.filter(movesPrice).map(({ stay }) => stay),
  );
  const charged = months.map((one) => {
    const rate = rates.get(one.stay.reservation_id);
    return rate === undefined ? one : withCommission(one, rate);
  });
  return { month, rows: statementRows(month, charged, listings) };
};

const requireMonth = ({ clock }: Context, month: string): void => {
  requireWithinCalendar({ month: `${month}-01` });
  const last = addDays(today(clock.now(), 'UTC'), bookableDaysAhead).slice(0, 7);
  if (month > last) throw invalid({ path: 'month', message: `must be at most ${last}` });
};

/** Returns the span of a month anywhere on earth: from UTC+14 to UTC-12. */
const spanOf = (month: string): StaySpan => {
  const [first, end] = [`${month}-01`, monthEnd(month)];
  return {
    from: Date.parse(first) - 14 * hourMs,
    to: Date.parse(end) + 12 * hourMs,
    firstNight: dayNumber(first),
    lastNight: dayNumber(end) - 1,
  };
};

/** Returns the rates of the frozen prices of stays, which their orders have; one BatchGet for 100 orders. */
const commissionRates = async (
  { table }: Context,
  stays: readonly Reservation[],
): Promise<Map<number, number>> => {
  const orderIds = [...new Set(stays.map(({ order_id }) => order_id))];
  const orders = await table.getAll(
    orderIds.map((orderId) => readOf(OrderEntity, { order_id: orderId })),
    { consistent: false },
  );
  const items = orders.flatMap((order) => order?.items ?? []);
  return new Map(
    items.map(({ reservation_id, quote }) => [reservation_id, thawQuote(quote).commission_rate ?? 0]),
  );
};
