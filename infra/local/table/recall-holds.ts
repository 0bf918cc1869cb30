import { heldTimes, type Order, OrderEntity } from '../../../shared/domain/booking/model.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarDraft,
  type CalendarMonth,
  CalendarMonthEntity,
} from '../../../shared/domain/calendar/model.ts';
import { releasedWrites } from '../../../shared/domain/payment/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { change, equals, retryOnConflict } from '../../../shared/platform/table/index.ts';
import { addHours, dayMs } from '../../../shared/platform/time/time.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

interface StoredItem {
  entity?: string;
}

/** Returns the items of some entities. */
type Scan = (entities: readonly string[]) => Promise<StoredItem[]>;

/** A hold lasts as long as the longest payment window at most. */
const longestHoldMs = dayMs;

/**
 * Ends the holds that a test clock which was turned back has left in calendars: those that last longer than any hold does, those
 * whose entries have expired meanwhile, and the notes of what had expired. A change that waits for its payment keeps its hours.
 */
export const recallHolds = async (deps: Deps, scan: Scan): Promise<void> => {
  const now = deps.clock.now();
  const of = <Item>(items: readonly StoredItem[], { name }: { name: string }): Item[] =>
    items.filter(({ entity }) => entity === name) as Item[];
  const items = await scan([OrderEntity.name, AvailabilityEntryEntity.name, CalendarMonthEntity.name]);
  for (const order of of<Order>(items, OrderEntity))
    if (order.state === 'HELD' && !order.change && order.locked_until > now + longestHoldMs)
      await release(deps, order);
  const entries = new Set(
    of<AvailabilityEntry>(items, AvailabilityEntryEntity).map(({ availability_id }) =>
      String(availability_id),
    ),
  );
  for (const month of of<CalendarMonth>(items, CalendarMonthEntity)) {
    const lost = Object.entries({ ...month.locks }).filter(
      ([id, lock]) => lock.until > now && !entries.has(id),
    );
    for (const [id, { from, to }] of lost) await dropLock(deps, month, Number(id), from, to);
    if ((month.expired_by ?? 0) > now) await forgetExpired(deps, month);
  }
};

const release = ({ table, clock }: Deps, { order_id }: Order): Promise<void> =>
  retryOnConflict(async () => {
    const order = await table.get(OrderEntity, { order_id });
    if (order?.state !== 'HELD') return;
    const held = heldTimes(order);
    const draft = await CalendarDraft.load(table, held, clock.now());
    for (const time of held) draft.releaseHold(time);
    await table.transact([...releasedWrites(order), ...draft.writes()]);
  });

const dropLock = (
  { table, clock }: Deps,
  { calendar_id, listing_id, month }: CalendarMonth,
  availabilityId: number,
  from: number,
  to: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const begins = `${month}-01T00:00:00`;
    const hours = { start_at: addHours(begins, from), end_at: addHours(begins, to) };
    const time = { calendar_id, listing_id, availability_id: availabilityId, ...hours };
    const draft = await CalendarDraft.load(table, [time], clock.now());
    draft.releaseHold(time);
    await table.transact(draft.writes());
  });

const forgetExpired = ({ table, clock }: Deps, ids: CalendarMonth): Promise<void> =>
  retryOnConflict(async () => {
    const { expired_by: expiredBy = 0 } = (await table.get(CalendarMonthEntity, ids)) ?? {};
    if (expiredBy <= clock.now()) return;
    const guard = { when: equals('expired_by', expiredBy) };
    await table.transact([change(CalendarMonthEntity, ids, { set: { expired_by: undefined } }, guard)]);
  });
