import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { earlyScene } from '../support/early-scene.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import { dates } from '../support/preparation-scene.ts';

let s: Awaited<ReturnType<typeof earlyScene>>;
beforeEach(async () => {
  s = await earlyScene();
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const night = dates('2027-02-03', '2027-02-04');
const hours = (from: number, to: number) => ({
  ...dates('2027-02-04', '2027-02-04'),
  check_in_time: `${String(from).padStart(2, '0')}:00:00`,
  check_out_time: `${String(to).padStart(2, '0')}:00:00`,
});
const local = (hour: string) => `2027-02-04T${hour}:00:00`;
/** The error of a check-in while these take hours of the room, each from when to when. */
const takenBy = (...takers: object[]) => ({ code: 'LISTING_NOT_AVAILABLE', details: { taken_by: takers } });
const none = { source: null, booking_id: null, locked_until: null };

describe('hours of another stay', () => {
  it('refuse the check-in, name the booking, and are free once its guest has left', async () => {
    const first = await s.booked(night);
    const next = await s.booked();
    await s.arrive(first, '2027-02-03T14:00:00');
    await expect(s.arrive(next, local('10'))).rejects.toMatchObject({
      ...takenBy({
        ...{ ...none, kind: 'STAY', booking_id: first, listing_id: s.room.id },
        ...{ start_at: '2027-02-03T14:00:00', end_at: local('12') },
      }),
      message: `A check-in before ${local('14')} takes the hours until then, and the booking ${first} has them until ${local('12')}.`,
    });
    expect(await s.stay(next)).toMatchObject({ state: 'CONFIRMED' });
    expect((await s.stay(next)).taken_from).toBeUndefined();
    await s.leave(first, '2027-02-04T10:20:00');
    // The hour in which the first guest has left is closed to others by that stay.
    await createCheckout(s.other, { items: [s.item(hours(12, 13))] });
    await s.arrive(next, '2027-02-04T10:50:00');
    expect(await s.entries()).toEqual(['BOOKED 02-03T14 02-04T11', 'BOOKED 02-04T11 02-06T12']);
    expect(await s.taken()).toEqual(['02-03T14 02-06T12']);
  });

  it('refuse it while that stay is not over, whatever its state is', async () => {
    const first = await s.booked(night);
    const next = await s.booked();
    const code = takenBy({ kind: 'STAY', booking_id: first });
    await expect(s.arrive(next, local('09'))).rejects.toMatchObject(code);
    await s.arrive(next, local('12'));
    expect(await s.taken()).toEqual(['02-03T14 02-06T12']);
    const closed = await earlyScene({ instant_book_enabled: false });
    const asked = await closed.booked(hours(9, 12));
    const later = await closed.booked();
    await moveBooking(closed.owner, later, 'confirm');
    await expect(closed.arrive(later, local('10'))).rejects.toMatchObject(
      takenBy({ kind: 'STAY', booking_id: asked }),
    );
  });

  it('refuse nothing once it has ended, though its guest was never checked in', async () => {
    const first = await s.booked({ ...night, check_out_time: '11:30:00' });
    const next = await s.booked();
    await expect(s.arrive(next, '2027-02-04T11:29:00')).rejects.toMatchObject(
      takenBy({ kind: 'STAY', booking_id: first }),
    );
    await s.arrive(next, '2027-02-04T11:30:00');
    expect((await s.stay(next)).taken_from).toBe(local('12'));
    expect((await s.stay(first)).state).toBe('CONFIRMED');
  });

  it('refuse it for a guest who stays beyond the end, until the check-out', async () => {
    const first = await s.booked({ ...night, check_out_time: '11:30:00' });
    const next = await s.booked();
    await s.arrive(first, '2027-02-03T14:00:00');
    await expect(s.arrive(next, '2027-02-04T11:40:00')).rejects.toMatchObject(
      takenBy({ kind: 'STAY', booking_id: first }),
    );
    await s.leave(first, '2027-02-04T11:45:00');
    await s.arrive(next, '2027-02-04T11:50:00');
    expect((await s.stay(next)).taken_from).toBe(local('12'));
  });

  it('of the house refuse its room, those of a room its house, and those of a sibling nothing', async () => {
    const inRoom = await s.booked(hours(9, 13));
    const ofHouse = await s.booked({}, s.house.id);
    await expect(s.arrive(ofHouse, local('10'))).rejects.toMatchObject(
      takenBy({ kind: 'STAY', booking_id: inRoom, listing_id: s.room.id }),
    );
    const later = dates('2027-02-07', '2027-02-08');
    const [house, room] = [
      await s.booked(
        { ...later, check_in_time: '09:00:00', check_out_date: '2027-02-07', check_out_time: '13:00:00' },
        s.house.id,
      ),
      await s.booked(later),
    ];
    await expect(s.arrive(room, '2027-02-07T10:00:00')).rejects.toMatchObject(
      takenBy({ kind: 'STAY', booking_id: house, listing_id: s.house.id }),
    );
    s.clock.set('2027-01-15T03:00:00Z');
    await s.booked(dates('2027-02-09', '2027-02-10'), s.sibling.id);
    const beside = await s.booked(dates('2027-02-10', '2027-02-11'));
    await s.arrive(beside, '2027-02-10T09:00:00');
    expect((await s.stay(beside)).taken_from).toBe('2027-02-10T09:00:00');
  });
});

it('a soft lock refuses the check-in until it ends', async () => {
  const id = await s.booked();
  s.at('2027-02-04T08:55:00');
  const { locked_until } = await createCheckout(s.other, { items: [s.item(hours(9, 11))] });
  await expect(s.arrive(id, '2027-02-04T09:05:00')).rejects.toMatchObject(
    takenBy({ ...none, kind: 'HOLD', locked_until, start_at: local('09'), end_at: local('11') }),
  );
  s.clock.advance(Date.parse(locked_until) - s.clock.now());
  await moveBooking(s.staff, id, 'check_in');
  expect((await s.stay(id)).taken_from).toBe(local('09'));
});

it('what gives the hours back while they are read refuses nothing', async () => {
  const id = await s.booked();
  const { id: block } = await blockTime(s.owner, s.room.id, { start_at: local('10'), end_at: local('12') });
  s.at(local('09'));
  const lift = () => unblockTime(s.owner, s.room.id, block);
  const desk = s.desk(interruptedTable(s.deps.table, { before: 'AvailabilityEntry' }, lift));
  await moveBooking(desk, id, 'check_in');
  expect(await s.taken()).toEqual(['02-04T09 02-06T12']);
});

it('a block of the host refuses it until it is lifted', async () => {
  const id = await s.booked();
  const { id: block } = await blockTime(s.owner, s.room.id, { start_at: local('10'), end_at: local('12') });
  await expect(s.arrive(id, local('11'))).rejects.toMatchObject({
    ...takenBy({ ...none, kind: 'BLOCK', availability_id: block, end_at: local('12') }),
    message: `A check-in before ${local('14')} takes the hours until then, and the block ${block} has them until ${local('12')}.`,
  });
  await unblockTime(s.owner, s.room.id, block);
  await s.arrive(id, local('11'));
  expect(await s.taken()).toEqual(['02-04T11 02-06T12']);
});

it('the preparation after a stay is closed already: the check-in takes what is free after it, or nothing', async () => {
  s = await earlyScene({ preparation_hours: 1 });
  await s.booked(night);
  const id = await s.booked();
  await s.booked(hours(11, 14), s.sibling.id);
  await s.arrive(id, '2027-02-04T12:30:00');
  expect(await s.taken()).toEqual(['02-03T14 02-06T13']);
  expect(await s.entries()).toEqual([
    'BOOKED 02-03T14 02-04T12',
    'BLOCKED 02-04T12 02-04T13 preparation',
    'BOOKED 02-04T13 02-06T12',
    'BLOCKED 02-06T12 02-06T13 preparation',
  ]);
  await s.undo(id);
  expect(await s.audited()).toEqual([]);
  s = await earlyScene({ preparation_hours: 2 });
  await s.booked(night);
  const other = await s.booked();
  await s.arrive(other, '2027-02-04T12:30:00');
  expect((await s.stay(other)).taken_from).toBeUndefined();
  expect(await s.announced()).toEqual([]);
});

it('a second check-in at once is refused as the first has made it, not by its own hours', async () => {
  const id = await s.booked();
  s.at(local('09'));
  const meanwhile = () => moveBooking(s.staff, id, 'check_in');
  await expect(moveBooking(s.readingDesk(meanwhile), id, 'check_in')).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  });
  expect((await s.stay(id)).taken_from).toBe(local('09'));
});

it('what takes the hours at the last moment refuses it, in the documented shape', async () => {
  const id = await s.booked();
  s.at(local('09'));
  const meanwhile = () => s.book(hours(10, 12), s.room.id, s.other);
  await expect(moveBooking(interrupted(s.staff, meanwhile), id, 'check_in')).rejects.toMatchObject(
    takenBy({ kind: 'STAY', start_at: local('10'), end_at: local('12') }),
  );
  expect(await s.stay(id)).toMatchObject({ state: 'CONFIRMED' });
});
