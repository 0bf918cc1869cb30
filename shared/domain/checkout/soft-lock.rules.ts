import { readSettings } from '../../platform/settings.ts';
import type { Order } from '../booking/model.ts';
import type { AvailabilityEntry } from '../calendar/model.ts';

const minuteMs = 60_000;

/** Duration of a soft lock (15 minutes unless `SOFT_LOCK_MINUTES` is set). */
export const softLockMs = (): number => readSettings().SOFT_LOCK_MINUTES * minuteMs;

/** Returns the availability entries of a held order. */
export const heldEntries = (order: Order): AvailabilityEntry[] =>
  order.items.map(({ calendar_id, listing_id, availability_id, start_at, end_at }) => ({
    calendar_id,
    listing_id,
    availability_id,
    start_at,
    end_at,
    state: 'SOFT_LOCK',
    reservation_id: null,
    order_id: order.order_id,
    locked_until: order.locked_until,
    note: null,
    created_at: order.created_at,
  }));

export const isLive = (order: Order, now: number): boolean =>
  order.state === 'HELD' && order.locked_until > now;
