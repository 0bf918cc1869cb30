import { beforeEach, describe, expect, it } from 'vitest';
import { addToCart, listCart, removeFromCart } from '../../shared/domain/checkout/cart.ts';
import { CartItemEntity, readCart } from '../../shared/domain/checkout/cart.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { releaseCheckout } from '../../shared/domain/checkout/release-checkout.ts';
import { put } from '../../shared/platform/table/index.ts';
import { interrupted } from '../support/interrupted.ts';
import { type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { freshId, testContext, testUser } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
});

const refused = (verb: Promise<unknown>, code: string) => expect(verb).rejects.toMatchObject({ code });
const byToken = { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' } as const;
const held = async () => (await s.hold([await s.listing()])).checkout_id;

describe('between the reads and the write of a checkout', () => {
  /** The gateway does not respond to the charge: the checkout is being paid until the schedule decides. */
  const charge = async (checkout_id: number) => {
    s.wire.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await refused(confirmCheckout(s.guest, { checkout_id, ...byToken }), 'PAYMENT_GATEWAY_UNAVAILABLE');
  };

  it.each([
    ['is extended', (ctx: PaymentScene['guest'], id: number) => extendCheckout(ctx, id)],
    ['is released', (ctx: PaymentScene['guest'], id: number) => releaseCheckout(ctx, id)],
    [
      'is confirmed with cash',
      (ctx: PaymentScene['guest'], checkout_id: number) =>
        confirmCheckout(ctx, { checkout_id, payment_method: 'CASH' }),
    ],
  ])('a charge of it begins, and it %s: it is refused, and stays as it is being paid', async (_, verb) => {
    const id = await held();
    await refused(
      verb(
        interrupted(s.guest, () => charge(id)),
        id,
      ),
      'INVALID_STATE_TRANSITION',
    );
    expect((await s.order(id)).order?.state).toBe('CHARGING');
  });

  it.each([
    ['a token', byToken],
    ['cash', { payment_method: 'CASH' } as const],
  ])('it is released: a confirm with %s books and charges nothing', async (_, method) => {
    const checkout_id = await held();
    const ctx = interrupted(s.guest, () => releaseCheckout(s.guest, checkout_id));
    await refused(confirmCheckout(ctx, { checkout_id, ...method }), 'CHECKOUT_EXPIRED');
    const { order, reservations } = await s.order(checkout_id);
    expect([order?.state, reservations, s.money(checkout_id).charged]).toEqual(['RELEASED', [], 0]);
  });

  it('it is extended: the second time is refused', async () => {
    const id = await held();
    const ctx = interrupted(s.guest, () => extendCheckout(s.guest, id));
    await refused(extendCheckout(ctx, id), 'INVALID_STATE_TRANSITION');
  });
});

describe('of a person the five checkouts that may be live', () => {
  const hold = async (meanwhile?: () => Promise<unknown>) => {
    const items = s.items(await s.listing());
    return createCheckout(meanwhile ? interrupted(s.guest, meanwhile) : s.guest, { items });
  };

  it('are five also when the first two are made at once', async () => {
    await hold(() => hold());
    for (let at = 2; at < 5; at++) await hold();
    await refused(hold(), 'RATE_LIMIT_EXCEEDED');
  });

  it('are five also when the last one and another are made at once', async () => {
    for (let at = 0; at < 4; at++) await hold();
    await refused(
      hold(() => hold()),
      'RATE_LIMIT_EXCEEDED',
    );
  });
});

describe('a stay in the cart, at two places at once,', () => {
  const input = async () => ({
    listing_id: (await s.listing()).id,
    check_in: '2027-02-04T14:00:00',
    check_out: '2027-02-06T12:00:00',
    guests: 2,
  });
  const ids = async () => (await listCart(s.guest)).items.map(({ id }) => id);

  it('is added once: both get the same id', async () => {
    const stay = await input();
    const other: number[] = [];
    const ctx = interrupted(s.guest, async () => other.push((await addToCart(s.guest, stay)).id));
    const { id } = await addToCart(ctx, stay);
    expect([other, await ids()]).toEqual([[id], [id]]);
  });

  it.each(['transact', { listed: 'CartItem' }] as const)('is one of at most 50 (%o)', async (moment) => {
    const { caller } = await testUser(s.deps);
    const guest = testContext(s.deps, caller);
    const stay = await input();
    const { available: _, ...kept } = await addToCart(guest, stay);
    const keptUntil = s.deps.clock.now() + 86_400_000;
    for (let n = 0; n < 48; n++) {
      const ids = { id: freshId(), listing_id: freshId(), user_id: caller.user_id };
      const dates = { check_in_date: '2027-03-01', check_out_date: '2027-03-02' };
      await s.deps.table.put(put(CartItemEntity, { ...kept, ...dates, ...ids, kept_until: keptUntil }));
    }
    const on = (day: string) => ({
      ...stay,
      check_in: `2027-03-${day}T14:00:00`,
      check_out: '2027-03-20T12:00:00',
    });
    const ctx = interrupted(guest, () => addToCart(guest, on('10')), moment);
    await refused(addToCart(ctx, on('11')), 'VALIDATION_ERROR');
    expect(await readCart(guest)).toHaveLength(50);
  });

  it('is changed, and was removed and added anew: the new one is changed', async () => {
    const stay = await input();
    const before = await addToCart(s.guest, stay);
    const ctx = interrupted(s.guest, async () => {
      await removeFromCart(s.guest, before.id);
      await addToCart(s.guest, stay);
    });
    const { id } = await addToCart(ctx, { ...stay, guests: 1 });
    expect(id).not.toBe(before.id);
    expect((await listCart(s.guest)).items).toMatchObject([{ id, guests: 1 }]);
  });

  it('is removed, and was removed and added anew: the new one stays', async () => {
    const stay = await input();
    const before = await addToCart(s.guest, stay);
    const ctx = interrupted(s.guest, async () => {
      await removeFromCart(s.guest, before.id);
      await addToCart(s.guest, stay);
    });
    await refused(removeFromCart(ctx, before.id), 'NOT_FOUND');
    expect(await ids()).toHaveLength(1);
  });
});
