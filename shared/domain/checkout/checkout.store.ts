import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readSettings } from '../../platform/settings.ts';
import { absent, defineEntity, equals, put, readOf, type Write } from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import type { AvailabilityEntry } from '../calendar/model.ts';

/** The recent soft locks of a caller, which limit live checkouts (D44). */
interface CallerCheckouts {
  /** The caller's reference. */
  holder: string;
  version: number;
  /** By order id: epoch milliseconds until which it may be live. */
  live: Record<string, number>;
}

export const CallerCheckoutsEntity = defineEntity<CallerCheckouts, Pick<CallerCheckouts, 'holder'>>({
  name: 'CallerCheckouts',
  meaning: 'The soft locks a caller made lately.',
  patterns: ['how many checkouts of this caller are live?'],
  key: { pk: 'CHECKOUTS#{holder}', sk: 'CHECKOUTS' },
  expiresAt: ({ live }) => Math.ceil(Math.max(0, ...Object.values(live)) / 1000) + 3600,
  example: { holder: 'user:1' },
});

/** The unpaid future stays of a customer, which are limited (D85). */
export interface UnpaidStays {
  user_id: number;
  version: number;
  /** By reservation id, epoch milliseconds: the start of the stay, or its end if the stay had started when it was booked. */
  begins: Record<string, number>;
}

export const UnpaidStaysEntity = defineEntity<UnpaidStays, Pick<UnpaidStays, 'user_id'>>({
  name: 'UnpaidStays',
  meaning: 'The future stays that a customer has booked without paying.',
  patterns: ['how many future stays of this customer are unpaid?'],
  key: { pk: 'UNPAID#{user_id}', sk: 'UNPAID' },
  expiresAt: ({ begins }) => Math.ceil(Math.max(0, ...Object.values(begins)) / 1000) + 86_400,
  example: { user_id: 1 },
});

/** A partner's own id of a booking, so that it is booked once (D52). */
export interface ExternalReference {
  key_id: number;
  /** Null: the partner named none, which is a different key from any name. */
  external_system: string | null;
  external_booking_id: string;
  /** SHA-256 of the request that was booked. */
  fingerprint: string;
  reservation_id: number;
}

export const ExternalReferenceEntity = defineEntity<
  ExternalReference,
  Pick<ExternalReference, 'key_id' | 'external_system' | 'external_booking_id'>
>({
  name: 'ExternalReference',
  meaning: "A partner's own id of a booking.",
  patterns: ['was this external booking made before?'],
  key: {
    // With its length, no name can run over into the id.
    pk: 'EXTERNAL#{key_id}#{system_length}#{external_system}#{external_booking_id}',
    sk: 'REFERENCE',
    derived: { system_length: ({ external_system }) => external_system?.length ?? 0 },
  },
  example: { key_id: 1, external_system: 'pms', external_booking_id: 'A-7' },
});

const minuteMs = 60_000;

/** Duration of a soft lock (15 minutes unless `SOFT_LOCK_MINUTES` is set). */
export const lockMs = (): number => readSettings().SOFT_LOCK_MINUTES * minuteMs;

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

/** The most live checkouts of a caller (D44). */
const maxLiveCheckouts = 5;

/**
 * Returns the write that counts a new checkout, or throws RATE_LIMIT_EXCEEDED. The orders are read only if the count has
 * reached the limit: those confirmed or released meanwhile no longer count.
 */
export const countCheckout = async (
  ctx: Context,
  found: CallerCheckouts | undefined,
  order: Order,
  replaced: readonly Order[],
): Promise<Write> => {
  const now = ctx.clock.now();
  const before = found ?? { holder: order.holder, version: 0, live: {} };
  const replacedIds = new Set(replaced.map(({ order_id }) => String(order_id)));
  let live = Object.entries(before.live).filter(([id, until]) => until > now && !replacedIds.has(id));
  if (live.length >= maxLiveCheckouts) {
    const orders = await ctx.table.getAll(live.map(([id]) => readOf(OrderEntity, { order_id: Number(id) })));
    live = live.filter((_, position) => {
      const order = orders[position];
      return order !== undefined && isLive(order, now);
    });
    if (live.length >= maxLiveCheckouts)
      throw tooMany(
        live.map(([, until]) => until),
        now,
      );
  }
  return put(
    CallerCheckoutsEntity,
    {
      holder: order.holder,
      version: before.version + 1,
      live: { ...Object.fromEntries(live), [order.order_id]: order.locked_until },
    },
    { when: before.version === 0 ? absent() : equals('version', before.version) },
  );
};

const tooMany = (until: number[], now: number): ServiceError =>
  new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `At most ${maxLiveCheckouts} checkouts may be live at a time.`,
    {},
    {
      retryAfterSeconds: Math.max(1, Math.ceil((Math.min(...until) - now) / 1000)),
    },
  );
