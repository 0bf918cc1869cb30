import { readSettings } from '../../platform/settings.ts';
import type { Order } from '../booking/model.ts';
import { type AvailabilityEntry, preparationOf } from '../calendar/model.ts';

const minuteMs = 60_000;

/** Duration of a soft lock (15 minutes unless `SOFT_LOCK_MINUTES` is set). */
export const softLockMs = (): number => readSettings().SOFT_LOCK_MINUTES * minuteMs;

/** Returns the availability entries of a held order. */
export const heldEntries = (order: Order): AvailabilityEntry[] =>
  order.items.map((item) => ({
    calendar_id: item.calendar_id,
    listing_id: item.listing_id,
    availability_id: item.availability_id,
    start_at: item.start_at,
    end_at: item.end_at,
    ...preparationOf(item),
    state: 'SOFT_LOCK',
    reservation_id: null,
    order_id: order.order_id,
    locked_until: order.locked_until,
    note: null,
    created_at: order.created_at,
  }));

export const isLive = (order: Order, now: number): boolean =>
  order.state === 'HELD' && order.locked_until > now;
