import { beforeEach, describe, expect, it } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { readListing } from '../../shared/domain/listing/listing.store.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { bookStay, eventScene } from '../support/events.ts';
import { interrupted } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';

let s: Awaited<ReturnType<typeof eventScene>>;
let parent: Listing;
let sibling: Listing;
/** A house of its own, about to become a room of the other. */
let room: Listing;
beforeEach(async () => {
  s = await eventScene();
  parent = s.listing;
  room = await testListing(s.deps, { team_id: s.team_id });
  sibling = await testListing(s.deps, { team_id: s.team_id });
  await move(sibling.id, parent.id);
});

const move = (listing_id: number, parent_listing_id: number | null) =>
  updateListing(s.asOwner, listing_id, { parent_listing_id });
const book = (listing_id: number, check_in_date: string, check_out_date: string) =>
  bookStay(s.asGuest, { listing_id, check_in_date, check_out_date });
const block = (listing_id: number, block_date: string) => blockTime(s.asOwner, listing_id, { block_date });
const taken = (code = 'LISTING_NOT_AVAILABLE') => ({ code });

/** What the bitmaps say is taken, and what the entries say, of a listing in the calendar it has now. */
const hoursOf = async (id: number) => {
  const { parent_listing_id } = (await readListing(s.deps.table, id))!;
  const calendar_id = parent_listing_id ?? id;
  const range = { start_at: '2027-01-01T00:00:00', end_at: '2030-01-01T00:00:00' };
  const time = { calendar_id, listing_id: id, ...range };
  const draft = await CalendarDraft.load(s.deps.table, [time], s.deps.clock.now());
  const entries = await overlappingEntries(s.deps.table, calendar_id, range);
  const own = entries.filter(({ listing_id }) => listing_id === id);
  return {
    bits: draft.taken(time).map(({ start_at, end_at }) => `${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`),
    entries: own.map(({ start_at, end_at }) => `${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`),
  };
};
const stays = ['2027-02-04T14 2027-02-06T12', '2027-03-10T14 2027-03-11T12', '2027-05-30T14 2027-06-02T12'];

describe('a listing that moves into a family', () => {
  it('brings its stays and blocks along, and excludes the parent from now on', async () => {
    await book(room.id, '2027-02-04', '2027-02-06');
    await block(room.id, '2027-03-10');
    await book(room.id, '2027-05-30', '2027-06-02');
    await book(sibling.id, '2027-02-04', '2027-02-06');
    await move(room.id, parent.id);
    expect(await hoursOf(room.id)).toEqual({ bits: stays, entries: stays });
    await expect(book(parent.id, '2027-02-05', '2027-02-06')).rejects.toMatchObject(taken());
    await expect(book(room.id, '2027-05-31', '2027-06-01')).rejects.toMatchObject(taken());
    await expect(book(sibling.id, '2027-05-31', '2027-06-01')).resolves.toBeDefined();
  });

  it('and back again, and again, loses and doubles nothing', async () => {
    await book(room.id, '2027-02-04', '2027-02-06');
    await block(room.id, '2027-03-10');
    await book(room.id, '2027-05-30', '2027-06-02');
    for (const home of [parent.id, null, parent.id, null]) {
      await move(room.id, home);
      expect(await hoursOf(room.id)).toEqual({ bits: stays, entries: stays });
    }
    await expect(book(parent.id, '2027-02-04', '2027-02-06')).resolves.toBeDefined();
    await expect(book(room.id, '2027-02-04', '2027-02-06')).rejects.toMatchObject(taken());
    await expect(book(room.id, '2027-04-04', '2027-04-06')).resolves.toBeDefined();
  });

  it('and back again with a guest in house who came in an earlier month', async () => {
    await book(room.id, '2027-01-30', '2027-02-20');
    s.deps.clock.set('2027-02-10T03:00:00Z');
    await move(room.id, parent.id);
    await move(room.id, null);
    const stay = ['2027-01-30T14 2027-02-20T12'];
    expect(await hoursOf(room.id)).toEqual({ bits: stay, entries: stay });
    await move(room.id, parent.id);
    expect(await hoursOf(room.id)).toEqual({ bits: stay, entries: stay });
  });

  it('goes from one parent to another', async () => {
    const other = await testListing(s.deps, { team_id: s.team_id });
    await move(room.id, parent.id);
    await book(room.id, '2027-02-04', '2027-02-06');
    await move(room.id, other.id);
    await expect(book(other.id, '2027-02-04', '2027-02-06')).rejects.toMatchObject(taken());
    await expect(book(parent.id, '2027-02-04', '2027-02-06')).resolves.toBeDefined();
  });

  it('leaves its bookings where a cancellation finds them, and its blocks where they can be lifted', async () => {
    const { booking_id } = await book(room.id, '2027-02-04', '2027-02-06');
    const { id } = await block(room.id, '2027-03-10');
    await move(room.id, parent.id);
    await cancelBooking(s.asGuest, booking_id);
    await unblockTime(s.asOwner, room.id, id);
    expect(await hoursOf(room.id)).toEqual({ bits: [], entries: [] });
    await expect(book(parent.id, '2027-02-04', '2027-02-06')).resolves.toBeDefined();
  });

  it('takes a current stay along, and leaves past ones in its history', async () => {
    await book(room.id, '2027-01-16', '2027-01-17');
    await book(room.id, '2027-01-30', '2027-02-05');
    s.deps.clock.set('2027-02-02T03:00:00Z');
    await move(room.id, parent.id);
    expect((await hoursOf(room.id)).entries).toEqual(['2027-01-30T14 2027-02-05T12']);
    await expect(book(parent.id, '2027-02-03', '2027-02-04')).rejects.toMatchObject(taken());
  });

  it('is refused over time of the parent, and of the parent it leaves', async () => {
    await book(room.id, '2027-02-04', '2027-02-06');
    const { booking_id } = await book(parent.id, '2027-02-05', '2027-02-07');
    const unavailable = [
      { listing_id: room.id, start_at: '2027-02-05T14:00:00', end_at: '2027-02-06T12:00:00' },
    ];
    await expect(move(room.id, parent.id)).rejects.toMatchObject({ ...taken(), details: { unavailable } });
    expect((await hoursOf(room.id)).bits).toEqual(['2027-02-04T14 2027-02-06T12']);
    await cancelBooking(s.asGuest, booking_id);
    await move(room.id, parent.id);
    await book(parent.id, '2027-07-05', '2027-07-07');
    await expect(move(room.id, null)).rejects.toMatchObject({
      details: { unavailable: [{ start_at: '2027-07-05T14:00:00', end_at: '2027-07-07T12:00:00' }] },
    });
  });

  it('is refused when there is too much to move in one step, and nothing has moved', async () => {
    for (let n = 0; n < 36; n++)
      await block(room.id, `2027-0${3 + (n % 3)}-${String(1 + Math.floor(n / 3)).padStart(2, '0')}`);
    await expect(move(room.id, parent.id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'parent_listing_id' }] },
    });
    expect((await hoursOf(room.id)).entries).toHaveLength(36);
    expect((await hoursOf(parent.id)).bits).toEqual([]);
  }, 30_000);

  it('moves fifteen bookings at once', async () => {
    for (let n = 0; n < 15; n++) {
      const day = `2027-0${2 + (n % 5)}-${String(1 + 3 * Math.floor(n / 5)).padStart(2, '0')}`;
      await book(
        room.id,
        day,
        day.replace(/..$/, (text) => String(Number(text) + 1).padStart(2, '0')),
      );
    }
    await move(room.id, parent.id);
    expect((await hoursOf(room.id)).entries).toHaveLength(15);
  }, 30_000);
});

describe('a move that meets', () => {
  /** Both at once, in whichever order they come. */
  const together = async <One, Other>(one: () => Promise<One>, other: () => Promise<Other>) =>
    Promise.allSettled([one(), other()]);

  it('a booking of the listing leaves it in the one calendar that counts', async () => {
    for (let round = 0; round < 12; round++) {
      const guestRoom = await testListing(s.deps, { team_id: s.team_id });
      const [moved, booked] = await together(
        () => move(guestRoom.id, parent.id),
        () => book(guestRoom.id, `2027-0${1 + (round % 9)}-20`, `2027-0${1 + (round % 9)}-21`),
      );
      expect([moved.status, booked.status]).toEqual(['fulfilled', 'fulfilled']);
      const { bits, entries } = await hoursOf(guestRoom.id);
      expect(entries).toHaveLength(1);
      expect(bits).toEqual(expect.arrayContaining(entries));
      await move(guestRoom.id, null);
    }
  }, 60_000);

  it('a booking of the parent over the same night: one of them wins', async () => {
    for (let round = 0; round < 12; round++) {
      const [house, guestRoom] = [
        await testListing(s.deps, { team_id: s.team_id }),
        await testListing(s.deps, { team_id: s.team_id }),
      ];
      await book(guestRoom.id, '2027-02-04', '2027-02-06');
      const outcomes = await together(
        () => move(guestRoom.id, house.id),
        () => book(house.id, '2027-02-05', '2027-02-07'),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: taken() });
    }
  }, 60_000);

  it('a cancellation frees the hours wherever they stand', async () => {
    for (let round = 0; round < 12; round++) {
      const guestRoom = await testListing(s.deps, { team_id: s.team_id });
      const { booking_id } = await book(guestRoom.id, '2027-08-04', '2027-08-06');
      const outcomes = await together(
        () => move(guestRoom.id, parent.id),
        () => cancelBooking(s.asGuest, booking_id),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await hoursOf(guestRoom.id)).toEqual({ bits: [], entries: [] });
    }
  }, 60_000);

  it('a cancellation where it goes, after which the listing is booked, is not refused', async () => {
    const sell = (id: number) => book(id, '2027-02-04', '2027-02-06');
    const { booking_id } = await sell(parent.id);
    const resell = () => cancelBooking(s.asGuest, booking_id).then(() => sell(room.id));
    const ctx = interrupted(s.asOwner, resell, { before: 'AvailabilityEntry' });
    await updateListing(ctx, room.id, { parent_listing_id: parent.id });
    expect((await hoursOf(room.id)).entries).toEqual(['2027-02-04T14 2027-02-06T12']);
  });

  it('a soft lock: it is refused while the lock lives, and the lock can be confirmed', async () => {
    const items = [
      { listing_id: room.id, check_in_date: '2027-02-04', check_out_date: '2027-02-06', guest_number: 1 },
    ];
    const held = await createCheckout(s.asGuest, { items });
    const range = { start_at: '2027-02-04T14:00:00', end_at: '2027-02-06T12:00:00' };
    await expect(move(room.id, parent.id)).rejects.toMatchObject({
      ...taken(),
      message: `A soft lock prevents the move until ${held.locked_until}; try again when it has ended.`,
      details: {
        unavailable: [{ listing_id: room.id, ...range }],
        soft_locks: [{ listing_id: room.id, ...range, locked_until: held.locked_until }],
      },
    });
    s.deps.clock.advance(16 * 60_000);
    await move(room.id, parent.id);
    const confirmed = await confirmCheckout(s.asGuest, {
      checkout_id: held.checkout_id,
      payment_method: 'CASH',
    });
    const reservation_id = confirmed.reservations[0]!.id;
    const reservation = await s.deps.table.get(ReservationEntity, {
      order_id: orderIdOf(reservation_id),
      reservation_id,
    });
    expect(reservation?.calendar_id).toBe(parent.id);
    expect((await hoursOf(room.id)).bits).toEqual(['2027-02-04T14 2027-02-06T12']);
  });

  const hold = async (listing_id: number, check_in_date: string, check_out_date: string) => {
    const items = [{ listing_id, check_in_date, check_out_date, guest_number: 1 }];
    return (await createCheckout(s.asGuest, { items })).locked_until;
  };

  it('soft locks, of the parent too: the last of them is named, on either way', async () => {
    await book(room.id, '2027-02-04', '2027-02-06');
    await hold(parent.id, '2027-02-20', '2027-02-21');
    const first = await hold(parent.id, '2027-02-05', '2027-02-07');
    const message = (until: string) =>
      `A soft lock prevents the move until ${until}; try again when it has ended.`;
    await expect(move(room.id, parent.id)).rejects.toMatchObject({
      message: message(first),
      details: { soft_locks: [{ listing_id: parent.id, start_at: '2027-02-05T14:00:00' }] },
    });
    s.deps.clock.advance(16 * 60_000);
    await move(room.id, parent.id);
    await hold(sibling.id, '2027-03-20', '2027-03-21');
    await hold(room.id, '2027-03-20', '2027-03-21');
    s.deps.clock.advance(60_000);
    const last = await hold(parent.id, '2027-02-10', '2027-02-11');
    await expect(move(room.id, null)).rejects.toMatchObject({
      message: message(last),
      details: { soft_locks: [{ listing_id: parent.id }, { listing_id: room.id }] },
    });
  });

  it('a stay of the parent that it leaves, or one where it goes: the refusal says which and what to do', async () => {
    await move(room.id, parent.id);
    await book(parent.id, '2027-02-04', '2027-02-06');
    await expect(move(room.id, null)).rejects.toMatchObject({
      ...taken(),
      message: expect.stringMatching(/^Stays or blocks of the parent take .*\. Wait, or cancel/) as string,
    });
    const other = await testListing(s.deps, { team_id: s.team_id });
    await book(other.id, '2027-02-04', '2027-02-06');
    await expect(move(other.id, parent.id)).rejects.toMatchObject({
      ...taken(),
      message: expect.stringMatching(/^Stays or blocks of this listing overlap .*\. Cancel/) as string,
    });
  });

  it('a stay beside a soft lock: waiting alone does not help', async () => {
    await move(room.id, parent.id);
    await book(parent.id, '2027-02-04', '2027-02-06');
    const until = await hold(room.id, '2027-02-10', '2027-02-11');
    await expect(move(room.id, null)).rejects.toMatchObject({
      ...taken(),
      message: expect.stringMatching(
        new RegExp(`^Stays or blocks of the parent take .* A soft lock prevents the move until ${until}`),
      ) as string,
      details: { unavailable: [{}, {}], soft_locks: [{ listing_id: room.id, locked_until: until }] },
    });
  });
});
