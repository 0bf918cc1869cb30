import { readSettings } from '../../platform/settings.ts';
import { minuteMs } from '../../platform/time/time.ts';
import { heldTimes, type Order } from '../booking/model.ts';
import { type AvailabilityEntry, preparationOf } from '../calendar/model.ts';

/** Duration of a soft lock (15 minutes unless `SOFT_LOCK_MINUTES` is set). */
export const softLockMs = (): number => readSettings().SOFT_LOCK_MINUTES * minuteMs;

/** Returns the availability entries of a held order. */
export const heldEntries = (order: Order): AvailabilityEntry[] =>
  heldTimes(order).map((time) => ({
    calendar_id: time.calendar_id,
    listing_id: time.listing_id,
    availability_id: time.availability_id,
    start_at: time.start_at,
    end_at: time.end_at,
    ...preparationOf(time),
    state: 'SOFT_LOCK',
    reservation_id: null,
    order_id: order.order_id,
    locked_until: order.locked_until,
    note: null,
    created_at: order.created_at,
  }));

export const isLiveOrder = (order: Order, now: number): boolean =>
  order.state === 'HELD' && order.locked_until > now;
