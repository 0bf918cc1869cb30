import * as z from 'zod';
import { CurrencyCode, Id, Instant, LocalDateTime, Money } from '../../platform/schema/schema.ts';

const Moment = z.union([LocalDateTime, Instant]).meta({
  id: 'Moment',
  description:
    "The listing's local time without zone, or an instant with one. Midnight at both ends means dates only.",
  examples: ['2027-02-04T14:00:00'],
});

/** A stay to add to the cart: `listing_id` is a text as published; a number is accepted too. */
export const CartInput = z
  .strictObject({
    listing_id: z
      .union([z.string().regex(/^[1-9]\d{0,15}$/, 'must be the id of a listing'), Id])
      .transform(Number)
      .pipe(Id)
      .meta({ description: 'The id of a listing, as text.', examples: ['4711'] }),
    check_in: Moment,
    check_out: Moment,
    guests: z.int().min(1).max(1000),
  })
  .meta({ id: 'CartInput' });
export type CartInput = z.infer<typeof CartInput>;

/** A stay in the cart (D53): priced at every read, not held. */
export const CartRecord = z
  .object({
    id: Id,
    listing_id: Id,
    listing_name: z.string(),
    check_in: LocalDateTime,
    check_out: LocalDateTime,
    guests: z.int(),
    price: Money.meta({
      description: 'What a checkout would cost now; the last known price when it cannot be booked.',
    }),
    currency: CurrencyCode,
    available: z.boolean().meta({ description: 'Whether it could be booked now.' }),
    created_at: Instant,
  })
  .meta({ id: 'CartItem' });
export type CartRecord = z.infer<typeof CartRecord>;

export const Cart = z.object({ items: z.array(CartRecord) }).meta({ id: 'Cart' });
export type Cart = z.infer<typeof Cart>;

export const RemovedFromCart = z.object({ message: z.string(), id: Id }).meta({ id: 'RemovedFromCart' });
export type RemovedFromCart = z.infer<typeof RemovedFromCart>;
