import * as z from 'zod';
import { defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { takenMethods } from './taken-method.schema.ts';

/**
 * One movement in the folio of a stay (D126). They are only ever added. What the stay costs is not among them: it is its total.
 */
export const PostingRecord = defineRecord(() => ({
  /**
   * `change`: what a change added to the total. `charge`: what is payable beside it until the stay falls through; negative where
   * it was taken out. `fee`: what is payable, also nothing, for a stay that was paid and fell through. `correction`: a payment
   * that was recorded by mistake, with a negative amount. `deposit_…`: of the security deposit (D131), apart from all others; those
   * of an authorisation have the method ONLINE_GATEWAY.
   */
  kind: z.enum([
    ...(['change', 'charge', 'fee', 'payment', 'refund', 'correction'] as const),
    ...(['deposit_taken', 'deposit_returned', 'deposit_kept'] as const),
  ]),
  /** In the currency of the stay. */
  amount: z.number(),
  /** Epoch milliseconds. */
  at: z.int(),
  /** Who did it; absent: the gateway, or not known. */
  actor: z.string().exactOptional(),
  /** Of a payment: who took the money; absent: the gateway. */
  collected_by: z.enum(['HOST', 'PARTNER', 'PLATFORM']).exactOptional(),
  /** Absent: that of a payment page or token. */
  method: z.enum(takenMethods).exactOptional(),
  /** Of a payment through the gateway: the gateway's id of the charge; of another: what the host wrote. */
  reference: z.string().exactOptional(),
  /** Epoch milliseconds; when the money came, if not when it was posted. */
  received_at: z.int().exactOptional(),
  payment_id: z.int().exactOptional(),
  /** Of a charge, as its guest reads it. */
  label: z.string().exactOptional(),
  quantity: z.int().exactOptional(),
  /** Of what takes back: the number of the payment or charge, by its place in the folio, from 1. */
  of: z.int().exactOptional(),
  /** Of a refund through the gateway; one may be of several stays. */
  refund_id: z.string().exactOptional(),
  /** The gateway has not made the refund yet. */
  is_due: z.literal(true).exactOptional(),
  /** A refund of what the host has taken, which the host has not handed over yet. */
  to_return: z.literal(true).exactOptional(),
  /** Read from a record that had no folio; what was refunded before may be missing. */
  is_opening: z.literal(true).exactOptional(),
}));
export type Posting = RecordOf<typeof PostingRecord>;
