import * as z from 'zod';
import { Cart, CartInput, CartRecord, RemovedFromCart } from '../../shared/domain/checkout/cart.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';

const record = {
  id: exampleIds.cartItem,
  listing_id: 4711,
  listing_name: 'Biệt thự Đà Lạt',
  check_in: '2027-02-04T14:00:00',
  check_out: '2027-02-07T12:00:00',
  guests: 2,
  price: 5_200_000,
  currency: 'VND',
  available: true,
  created_at: '2027-01-15T03:00:00.000Z',
} satisfies CartRecord;

/** The stays a customer thinks about (D53). */
export const cartRoutes = defineRoutes('cart', {
  addToCart: {
    method: 'POST',
    path: '/api/v1/cart',
    access: 'customer',
    tag: 'Cart',
    summary: 'Puts a stay into the cart, in the place of one with the same listing and dates',
    description: 'It locks nothing. A stay is kept for 30 days; a cart holds at most 50.',
    body: CartInput,
    status: 201,
    reply: CartRecord,
    errors: ['LISTING_NOT_FOUND'],
    idempotent: true,
    examples: {
      body: {
        listing_id: '4711',
        check_in: '2027-02-04T14:00:00',
        check_out: '2027-02-07T12:00:00',
        guests: 2,
      },
      reply: record,
    },
  },
  listCart: {
    method: 'GET',
    path: '/api/v1/cart',
    access: 'customer',
    tag: 'Cart',
    summary: 'The cart, each stay with what it would cost now and whether it could be booked',
    status: 200,
    reply: Cart,
    errors: [],
    examples: { reply: { items: [record] } },
  },
  removeFromCart: {
    method: 'DELETE',
    path: '/api/v1/cart/{item_id}',
    access: 'customer',
    tag: 'Cart',
    summary: 'Takes a stay out of the cart',
    params: z.strictObject({ item_id: PathId }),
    status: 200,
    reply: RemovedFromCart,
    errors: ['NOT_FOUND'],
    examples: { reply: { message: 'The stay was removed from the cart.', id: record.id } },
  },
});
