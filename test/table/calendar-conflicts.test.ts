import { beforeEach, describe, expect, it } from 'vitest';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import type { Context } from '../../shared/platform/context.ts';
import { interrupted } from '../support/interrupted.ts';
import { minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
let listing: { id: number };
beforeEach(async () => {
  s = await paymentScene();
  listing = await s.listing();
});

const refused = (verb: Promise<unknown>, code: string) => expect(verb).rejects.toMatchObject({ code });

/** The nights from 4 to 6 February. */
const book = (ctx: PaymentScene['guest']) =>
  confirmCheckout(ctx, { items: s.items(listing), payment_method: 'CASH' });
const block = (block_date: string, ctx: Context = s.owner, id = listing.id) =>
  blockTime(ctx, id, { block_date });

/** The days on which taken time of a listing begins: by the months, and by the entries. */
const taken = async (calendar_id: number, listing_id = calendar_id) => {
  const range = { start_at: '2027-02-01T00:00:00', end_at: '2027-04-01T00:00:00' };
  const time = { calendar_id, listing_id, ...range };
  const draft = await CalendarDraft.load(s.deps.table, [time], s.clock.now());
  const entries = await overlappingEntries(s.deps.table, calendar_id, range);
  const days = (times: readonly { start_at: string }[]) => times.map(({ start_at }) => start_at.slice(5, 10));
  return {
    months: days(draft.taken(time)),
    entries: days(entries.filter((entry) => entry.listing_id === listing_id)),
  };
};

describe('in a month that was written before, between the reads and the write', () => {
  beforeEach(async () => {
    await block('2027-02-20');
  });

  it.each([
    ['books', book],
    ['locks', (ctx: PaymentScene['guest']) => createCheckout(ctx, { items: s.items(listing) })],
  ])('another guest books: a guest who %s the same nights is refused', async (_, verb) => {
    const ctx = interrupted(s.guest, () => book(s.other));
    await refused(verb(ctx), 'LISTING_NOT_AVAILABLE');
    expect(await taken(listing.id)).toEqual({ months: ['02-04', '02-20'], entries: ['02-04', '02-20'] });
  });

  it('another day is blocked: both days are', async () => {
    const ctx = interrupted(s.owner, () => block('2027-02-10'));
    await block('2027-02-12', ctx);
    const days = ['02-10', '02-12', '02-20'];
    expect(await taken(listing.id)).toEqual({ months: days, entries: days });
  });
});

describe('a block that is removed', () => {
  it('while another host has removed it and a guest has booked its nights: their stay keeps its hours', async () => {
    const { id } = await block('2027-02-05');
    const meanwhile = async () => {
      await unblockTime(s.owner, listing.id, id);
      await book(s.other);
    };
    const ctx = interrupted(s.owner, meanwhile, { listed: 'AvailabilityEntry' });
    await refused(unblockTime(ctx, listing.id, id), 'NOT_FOUND');
    expect(await taken(listing.id)).toEqual({ months: ['02-04'], entries: ['02-04'] });
    await refused(book(s.guest), 'LISTING_NOT_AVAILABLE');
  });

  it('while its listing moves, in a month that is new: it does not come back in the new calendar', async () => {
    const parent = await s.listing();
    await block('2027-02-20', s.owner, parent.id);
    let id = 0;
    const blocks = async () => {
      id = (await block('2027-03-10')).id;
    };
    const unblocks = () => unblockTime(s.owner, listing.id, id);
    const ctx = interrupted(interrupted(s.owner, blocks, { listed: 'CalendarMonth' }), unblocks, {
      listed: 'AvailabilityEntry',
    });
    await updateListing(ctx, listing.id, { parent_listing_id: parent.id });
    expect(id).not.toBe(0);
    await refused(unblocks(), 'NOT_FOUND');
    expect(await taken(parent.id, listing.id)).toEqual({ months: ['02-20'], entries: [] });
  });
});

describe('a lock', () => {
  it.each([
    [
      'confirms',
      (ctx: PaymentScene['guest'], checkout_id: number) =>
        confirmCheckout(ctx, { checkout_id, payment_method: 'CASH' }),
    ],
    ['extends', (ctx: PaymentScene['guest'], id: number) => extendCheckout(ctx, id)],
  ])('that ends, and another guest books its nights, before its guest %s it: it is over', async (_, verb) => {
    const { checkout_id } = await s.hold([listing]);
    const ctx = interrupted(s.guest, async () => {
      s.clock.advance(16 * minute);
      await book(s.other);
    });
    await refused(verb(ctx, checkout_id), 'CHECKOUT_EXPIRED');
    expect((await s.order(checkout_id)).reservations).toEqual([]);
  });

  it('is extended in its last millisecond, and not after it', async () => {
    const [one, other] = [await s.hold([listing]), await s.hold([await s.listing()])];
    s.clock.set(new Date(Date.parse(one.locked_until) - 1).toISOString());
    await expect(extendCheckout(s.guest, one.checkout_id)).resolves.toBeDefined();
    s.clock.advance(1);
    await refused(extendCheckout(s.guest, other.checkout_id), 'CHECKOUT_EXPIRED');
  });
});
