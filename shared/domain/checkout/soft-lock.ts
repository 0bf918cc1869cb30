import type { AvailabilityEntry } from '../calendar/index.ts';
import type { Order } from '../booking/index.ts';
import { readSettings } from '../../platform/settings.ts';

const minuteMs = 60_000;

/** How long a soft lock holds (15 minutes unless `SOFT_LOCK_MINUTES` says otherwise). */
export const lockMs = (): number => readSettings().SOFT_LOCK_MINUTES * minuteMs;

/** The availability entries of an order that is held. */
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
