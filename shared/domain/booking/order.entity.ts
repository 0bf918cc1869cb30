import * as z from 'zod';
import { binary, defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { PaymentMethod } from '../payment/model.ts';

/** The guest of a stay. Guests of external bookings need no account (D52). */
export const GuestRecord = defineRecord(() => ({
  user_id: z.int().nullable(),
  full_name: z.string(),
  phone: z.string(),
  email: z.string(),
  language: z.string(),
  note: z.string().optional(),
  arrival_time: z.string().optional(),
  /** Of an order that is charged by token: teams may have another name, which its stays get (D107). */
  is_renamed: z.boolean().exactOptional(),
}));
export type Guest = RecordOf<typeof GuestRecord>;

/** What was asked for a stay. */
export const StayRequestRecord = defineRecord(() => ({
  listing_id: z.int(),
  check_in_date: z.string(),
  check_out_date: z.string(),
  check_in_time: z.string().nullish(),
  check_out_time: z.string().nullish(),
  guest_number: z.int(),
  adult_number: z.int().nullish(),
  children_number: z.int().nullish(),
  rooms: z.int().nullish(),
  combo_id: z.int().nullish(),
  extra_service_ids: z.array(z.int()).nullish(),
  /** What the host adds to the price or takes off it (D121); absent: nothing. */
  adjustments: z.array(AdjustmentRecord()).optional(),
}));

const AdjustmentRecord = defineRecord(() => ({
  id: z.int(),
  label: z.string(),
  amount: z.number().optional(),
  percent: z.number().optional(),
  reason: z.enum(['DISCOUNT', 'GOODWILL', 'RELOCATION', 'SURCHARGE']),
}));

/** A step of cancellation terms, frozen with the price (D128). */
export const FrozenTermRecord = defineRecord(() => ({
  until_hours_before: z.int(),
  refund_percent: z.number(),
  keep_nights: z.int(),
  /** What the kept nights cost; absent: nothing. */
  kept_price: z.number().exactOptional(),
}));
export type FrozenTerm = RecordOf<typeof FrozenTermRecord>;

/** How the price falls due in two parts, frozen with it (D129); see `PaymentPlan`. */
export const PaymentPlanRecord = defineRecord(() => ({
  deposit: z.number(),
  hours_before: z.int(),
  is_due: z.literal(true).exactOptional(),
}));

/** One stay of an order with its frozen price. */
export const OrderItemRecord = defineRecord(() => ({
  reservation_id: z.int(),
  availability_id: z.int(),
  listing_id: z.int(),
  listing_name: z.string(),
  team_id: z.int(),
  /** The listing whose calendar holds the hours: the parent of a child, else the listing itself (D26). */
  calendar_id: z.int(),
  timezone: z.string(),
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  /** The listing's preparation after the stay, frozen (D77); absent: none. */
  preparation_hours: z.int().exactOptional(),
  instant_book: z.boolean(),
  /** Hours before check-in until which a cancellation refunds in full; null: never. Frozen (D48). */
  refund_notice_hours: z.int().nullable(),
  /** Absent: all is refunded until then, and nothing later. */
  cancellation_terms: z.array(FrozenTermRecord()).exactOptional(),
  /** Accepted methods; absent: all (D85). */
  payment_methods: z.array(PaymentMethod).exactOptional(),
  /** Hours until a bank transfer must arrive; absent: 72. */
  transfer_window_hours: z.int().exactOptional(),
  /** Absent: all is due at booking. */
  plan: PaymentPlanRecord().exactOptional(),
  request: StayRequestRecord(),
  quote: binary(),
}));
export type OrderItem = RecordOf<typeof OrderItemRecord>;

/** Hours under a soft lock. */
const HeldTimeRecord = defineRecord(() => ({
  availability_id: z.int(),
  calendar_id: z.int(),
  listing_id: z.int(),
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  preparation_hours: z.int().exactOptional(),
}));
export type HeldTime = RecordOf<typeof HeldTimeRecord>;

/** A change of a booked stay that takes effect when it is paid (D84); the order has the stay as it will be. */
const PendingChangeRecord = defineRecord(() => ({
  reservation_id: z.int(),
  /** How often the stay had been changed. */
  changes: z.int(),
  /** What the stay costs more. */
  difference: z.number(),
  /** What is to be paid. */
  due: z.number(),
  /** The reference of the caller who asked for it. */
  by: z.string(),
  /** The hours that the stay does not have yet. */
  holds: z.array(HeldTimeRecord()),
}));
export type PendingChange = RecordOf<typeof PendingChangeRecord>;

/**
 * An order: first the soft lock of a checkout, then the master of its reservations. It is one item, so that the write
 * that books also consumes the lock.
 */
const OrderRecord = defineRecord(() => ({
  /** Published as `checkout_id`, and as `master_reservation_id` after the confirmation (D49). */
  order_id: z.int(),
  state: z.enum(['HELD', 'CHARGING', 'BOOKED', 'RELEASED']),
  /** The caller's reference. */
  holder: z.string(),
  /** Epoch milliseconds until which an unbooked order holds its hours. */
  locked_until: z.int(),
  extended: z.boolean(),
  items: z.array(OrderItemRecord()),
  currency: z.string(),
  estimated_total: z.number(),
  guest: GuestRecord().nullable(),
  /** How often its stays were changed (D84). */
  changes: z.int().exactOptional(),
  /** Of an order that books nothing, but changes a booked stay. */
  change: PendingChangeRecord().exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type Order = RecordOf<typeof OrderRecord>;

export const OrderEntity = defineEntity<Order, Pick<Order, 'order_id'>>({
  name: 'Order',
  meaning: 'A checkout, and the master of its reservations once confirmed.',
  patterns: ['a checkout by its id', 'an order with its reservations (one Query)'],
  record: OrderRecord,
  key: { pk: 'ORDER#{order_id}', sk: 'ORDER' },
  // An expired checkout stays readable for a day, so that a late confirm gets a clear error (D45).
  expiresAt: (order) =>
    order.state === 'BOOKED' || order.state === 'CHARGING'
      ? undefined
      : Math.ceil(order.locked_until / 1000) + 86_400,
  example: { order_id: 16 },
});
