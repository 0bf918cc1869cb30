import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { auditListing } from '../../shared/domain/audit/audit-by-hand.ts';
import { calendarRules } from '../../shared/domain/audit/calendar-audit.rules.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { declineBooking } from '../../shared/domain/booking/decline-booking.ts';
import { markNoShow } from '../../shared/domain/booking/mark-no-show.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { listUnavailableHours, readAvailability } from '../../shared/domain/calendar/read-availability.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { bookForGuest } from '../../shared/domain/checkout/book-for-guest.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { previewCheckout } from '../../shared/domain/checkout/preview-checkout.ts';
import { createQuote, holdQuote } from '../../shared/domain/checkout/quotes.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { ListingUpdate } from '../../shared/domain/listing/listing-input.schema.ts';
import { presentListing } from '../../shared/domain/listing/present-listing.rules.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { putStayRules } from '../../shared/domain/pricing/stay-rules.ts';
import { readTeamCalendar } from '../../shared/domain/front-desk/team-calendar.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { interrupted, writing } from '../support/interrupted.ts';
import { dates, preparationScene } from '../support/preparation-scene.ts';

const notAvailable = { code: 'LISTING_NOT_AVAILABLE' };
const hours = (from: string, to: string, date = '2027-02-06') => ({
  ...dates(date, date),
  check_in_time: `${from}:00`,
  check_out_time: `${to}:00`,
});
const guest_info = {
  full_name: 'Trần Thị Bình',
  phone: '+84912345678',
  email: 'binh@example.com',
  language: 'vi' as const,
};

/** What the audit finds wrong in the calendar of the scene. */
const disagreements = async ({ deps, room }: Awaited<ReturnType<typeof preparationScene>>) => {
  const { findings } = await auditListing(deps, room.id);
  const names = calendarRules.map(({ name }) => name);
  return findings.filter(({ rule }) => names.includes(rule));
};

describe('the preparation after a stay', () => {
  it('takes its hours in the family of the listing; a stay at their end is accepted, one before is not', async () => {
    const s = await preparationScene();
    await s.book();
    expect(await s.taken()).toEqual(['02-04T14 02-06T15']);
    expect(await s.taken(s.house.id)).toEqual(['02-04T14 02-06T15']);
    expect(await s.taken(s.sibling.id)).toEqual([]);
    for (const listing of [s.room.id, s.house.id])
      await expect(s.book(hours('14:00', '16:00'), listing, s.other)).rejects.toMatchObject({
        ...notAvailable,
        details: {
          unavailable: [
            { listing_id: listing, start_at: '2027-02-06T14:00:00', end_at: '2027-02-06T15:00:00' },
          ],
          free_again: [{ listing_id: listing, at: '2027-02-06T15:00:00' }],
        },
      });
    await expect(s.book(hours('15:00', '16:00'), s.room.id, s.other)).resolves.toBeDefined();
    expect(await s.taken()).toEqual(['02-04T14 02-06T19']);
  });

  it('is asked before a stay as well: its own must end before the next stay', async () => {
    const s = await preparationScene();
    await s.book();
    const before = dates('2027-02-03', '2027-02-04');
    // Check-out at 12:00, prepared until 15:00, while the next guest comes at 14:00.
    await expect(s.book(before, s.room.id, s.other)).rejects.toMatchObject(notAvailable);
    await expect(
      s.book({ ...before, check_out_time: '11:00:00' }, s.room.id, s.other),
    ).resolves.toBeDefined();
    // The house has none, and a stay in it does not bring any.
    expect(await s.taken()).toEqual(['02-03T14 02-06T15']);
  });

  it('follows hourly stays and day use, and rounds up with the end of the stay', async () => {
    const s = await preparationScene();
    await s.book(hours('10:00', '11:30', '2027-02-08'));
    await s.book(dates('2027-02-10', '2027-02-10'));
    expect(await s.taken()).toEqual(['02-08T10 02-08T15', '02-10T09 02-10T21']);
  });

  it('is that of the booked listing, across the end of a month and a year', async () => {
    const s = await preparationScene({ preparation_hours: 24 });
    const { checkout_id } = await createCheckout(s.guest, {
      items: [s.item(dates('2027-02-26', '2027-02-28'))],
    });
    const booked = await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    await s.book(dates('2027-12-30', '2027-12-31'));
    await s.book(dates('2027-05-01', '2027-05-02'), s.house.id);
    expect(await s.taken()).toEqual(['02-26T14 03-01T12', '05-01T14 05-02T12', '12-30T14 01-01T00']);
    await expect(s.book(hours('10:00', '12:00', '2027-03-01'), s.room.id, s.other)).rejects.toMatchObject(
      notAvailable,
    );
    await cancelBooking(s.guest, booked.master_reservation_id);
    expect((await s.taken())[0]).toBe('05-01T14 05-02T12');
  });

  it('keeps two stays of one order apart', async () => {
    const s = await preparationScene();
    const items = [s.item({}), s.item(dates('2027-02-06', '2027-02-07'))];
    await expect(confirmCheckout(s.guest, { items, payment_method: 'CASH' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'items[1]' }] },
    });
  });

  it('is frozen with the hold: a change of the listing touches neither holds nor stays', async () => {
    const s = await preparationScene();
    const { checkout_id } = await createCheckout(s.guest, { items: [s.item({})] });
    await s.book(dates('2027-02-20', '2027-02-21'));
    const held = ['02-04T14 02-06T15', '02-20T14 02-21T15'];
    expect(await s.taken()).toEqual(held);
    await updateListing(s.owner, s.room.id, { preparation_hours: 10 });
    expect(await s.taken()).toEqual(held);
    await extendCheckout(s.guest, checkout_id);
    expect(await disagreements(s)).toEqual([]);
    await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    expect(await s.taken()).toEqual(held);
    expect(await disagreements(s)).toEqual([]);
    await updateListing(s.owner, s.room.id, { preparation_hours: 0 });
    await s.book(dates('2027-03-01', '2027-03-02'));
    expect(await s.taken()).toEqual([...held, '03-01T14 03-02T12']);
  });

  it('belongs to a hold, which the next one of its guest replaces; together neither fits', async () => {
    const s = await preparationScene();
    const next = dates('2027-02-06', '2027-02-08');
    await createCheckout(s.guest, { items: [s.item({})] });
    await expect(createCheckout(s.other, { items: [s.item(next)] })).rejects.toMatchObject(notAvailable);
    await createCheckout(s.guest, { items: [s.item(next)] });
    expect(await s.taken()).toEqual(['02-06T14 02-08T15']);
    await expect(s.book({}, s.room.id, s.other)).rejects.toMatchObject(notAvailable);
    await expect(s.book({ check_out_time: '11:00:00' }, s.room.id, s.other)).resolves.toBeDefined();
    expect(await disagreements(s)).toEqual([]);
  });

  it('is taken by soft locks, quotes of partners, their bookings, and bookings of the host', async () => {
    const s = await preparationScene();
    await createCheckout(s.guest, { items: [s.item({})] });
    const meets = s.item(hours('13:00', '15:00'));
    const free = async () => (await previewCheckout(s.other, { items: [meets] })).items[0]?.available;
    expect(await free()).toBe(false);
    s.clock.advance(15 * 60_000);
    expect(await free()).toBe(true);
    const { quote_id } = await createQuote(s.partner, { items: [s.item({})] });
    await holdQuote(s.partner, quote_id);
    expect(await s.taken()).toEqual(['02-04T14 02-06T15']);
    await bookExternally(s.partner, { quote_id, guest_info, payment_method: 'CASH' } as never);
    const stay = s.item(dates('2027-02-10', '2027-02-11'));
    await bookExternally(s.partner, { ...stay, nights: 1, guest_info, payment_method: 'CASH' } as never);
    const items = [s.item(dates('2027-02-20', '2027-02-21'))];
    await bookForGuest(s.owner, { items, guest_info, payment_method: 'CASH' });
    expect(await s.taken()).toEqual(['02-04T14 02-06T15', '02-10T14 02-11T15', '02-20T14 02-21T15']);
    for (const refused of [
      () => bookExternally(s.partner, { ...meets, nights: 0, guest_info, payment_method: 'CASH' } as never),
      () => bookForGuest(s.owner, { items: [meets], guest_info, payment_method: 'CASH' }),
      () => createCheckout(s.other, { items: [meets] }),
    ])
      await expect(refused()).rejects.toMatchObject(notAvailable);
  });

  it('and a booking at once: one of two stays wins that overlap by preparation alone', async () => {
    for (const [first, second] of [
      [{}, hours('13:00', '15:00')],
      [hours('13:00', '15:00'), {}],
    ] as const) {
      const s = await preparationScene();
      const late = interrupted(s.other, () => s.book(first), writing('Reservation'));
      await expect(
        confirmCheckout(late, { items: [s.item(second)], payment_method: 'CASH' }),
      ).rejects.toMatchObject(notAvailable);
      expect(await s.taken()).toHaveLength(1);
    }
  });
});

describe('the preparation in calendars', () => {
  it('is BLOCKED, with a note for hosts, and never a stay', async () => {
    const s = await preparationScene();
    const { reservations } = await s.book();
    await createCheckout(s.guest, { items: [s.item(dates('2027-02-10', '2027-02-11'))] });
    expect(await s.entries()).toEqual([
      'BOOKED 02-04T14 02-06T12',
      'BLOCKED 02-06T12 02-06T15 preparation',
      'SOFT_LOCK 02-10T14 02-11T12',
      'SOFT_LOCK 02-11T12 02-11T15 preparation',
    ]);
    for (const [who, listing] of [
      [s.other, s.room.id],
      [s.guest, s.room.id],
      [s.owner, s.house.id],
    ] as const)
      expect((await s.entries(who, listing)).slice(0, 2)).toEqual([
        'BOOKED 02-04T14 02-06T12',
        'BLOCKED 02-06T12 02-06T15',
      ]);
    const [stay, after] = await readRange(s.owner, s.room.id, { start_date: '2027-02-01' });
    expect(stay).toMatchObject({ reservation_id: reservations[0]?.id });
    expect(after).toMatchObject({ id: 0, reservation_id: null, date: '2027-02-06' });
    const blocked = { start_date: '2027-02-01', state: 'BLOCKED' } as const;
    expect(await readRange(s.owner, s.room.id, blocked)).toEqual([after]);
  });

  it('is shown alone where the range begins after the stay, and bounds the free gaps', async () => {
    const s = await preparationScene({ preparation_hours: 24 });
    await s.book();
    const range = { start_date: '2027-02-07', end_date: '2027-02-07' };
    expect(await readRange(s.other, s.room.id, range)).toMatchObject([
      { state: 'BLOCKED', start_at: '2027-02-06T12:00:00', end_at: '2027-02-07T12:00:00' },
    ]);
    expect(await readRange(s.other, s.room.id, { ...range, state: 'AVAILABLE' })).toMatchObject([
      { start_at: '2027-02-07T12:00:00', end_at: '2027-02-08T00:00:00' },
    ]);
  });

  it('cannot be unblocked, nor blocked over', async () => {
    const s = await preparationScene();
    await s.book();
    for (const { id } of await readRange(s.owner, s.room.id, { start_date: '2027-02-01' }))
      await expect(unblockTime(s.owner, s.room.id, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const block = { start_at: '2027-02-06T14:00:00', end_at: '2027-02-06T20:00:00' };
    await expect(blockTime(s.owner, s.room.id, block)).rejects.toMatchObject(notAvailable);
    expect(await s.taken()).toEqual(['02-04T14 02-06T15']);
  });

  it('is taken hour by hour; an hour whose stay would have no time for its preparation is not available', async () => {
    const s = await preparationScene();
    await s.book();
    const query = { start_time: '2027-02-06T1000', end_time: '2027-02-06T1800' };
    expect(await listUnavailableHours(s.other, s.room.id, query)).toEqual(
      [10, 11, 12, 13, 14].map((hour) => `2027-02-06T${hour}00`),
    );
    const byHour = async (date: string) => {
      const range = { start_date: date, end_date: date, granularity: 'hour' as const };
      const { items } = await readAvailability(s.other, s.room.id, range, (listing) => listing!);
      return items.map(({ state, available }) => `${state}${available ? ' open' : ''}`);
    };
    const of = (count: number, text: string) => Array.from({ length: count }, () => text);
    expect(await byHour('2027-02-06')).toEqual([
      ...of(12, 'BOOKED'),
      ...of(3, 'BLOCKED'),
      ...of(9, 'AVAILABLE open'),
    ]);
    // The guest comes at 14:00: the last hour that can be sold before is from 10:00 to 11:00.
    expect((await byHour('2027-02-04')).slice(9, 15)).toEqual([
      ...of(2, 'AVAILABLE open'),
      ...of(3, 'AVAILABLE'),
      'BOOKED',
    ]);
  });

  it('is in the team calendar as BLOCKED, beside the booking', async () => {
    const s = await preparationScene();
    await s.book();
    const { items } = await readTeamCalendar(s.owner, { from: '2027-02-03', to: '2027-02-07', limit: 100 });
    const found = items.find(({ listing_id }) => listing_id === s.room.id);
    expect(found?.entries.map(({ state, start_at, end_at }) => [state, start_at, end_at])).toEqual([
      ['CONFIRMED', '2027-02-04T14:00:00', '2027-02-06T12:00:00'],
      ['BLOCKED', '2027-02-06T12:00:00', '2027-02-06T15:00:00'],
    ]);
    // Neither the night after, until 15:00, nor the night before, whose own preparation would meet the stay.
    expect(found?.nights.map(({ date }) => date)).toEqual(['2027-02-07']);
  });
});

describe('a listing with preparation', () => {
  it('says so in whole hours from 0 to 24; a listing from before has 0', async () => {
    const accepts = (preparation_hours: unknown) => ListingUpdate().safeParse({ preparation_hours }).success;
    expect([0, 24].map(accepts)).toEqual([true, true]);
    expect([-1, 25, 1.5, '3', null].map(accepts)).toEqual([false, false, false, false, false]);
    const s = await preparationScene();
    expect(presentListing(s.other.caller, s.room, 0)).toMatchObject({ preparation_hours: 3 });
    const { preparation_hours: _, ...before } = s.room;
    expect(presentListing(s.other.caller, before, 0)).toMatchObject({ preparation_hours: 0 });
    const after = await updateListing(s.owner, s.room.id, { preparation_hours: 5 });
    expect(after).toMatchObject({ preparation_hours: 5 });
  });

  it('has the same nights in availability, search, team calendar and confirm', async () => {
    for (const preparation_hours of [0, 2, 3, 24]) {
      const s = await preparationScene({ preparation_hours });
      await s.book(dates('2027-01-29', '2027-01-30'));
      await s.book(dates('2027-02-02', '2027-02-03'));
      await s.book(hours('08:00', '09:00', '2027-02-06'));
      await s.index();
      const first = '2027-01-26';
      const range = { start_date: first, end_date: '2027-02-08', granularity: 'day' as const };
      const { items } = await readAvailability(s.other, s.room.id, range, (listing) => listing!);
      const days = items as { date: string; available: boolean }[];
      const calendar = await readTeamCalendar(s.owner, { from: first, to: '2027-02-08', limit: 100 });
      const nights = calendar.items.find(({ listing_id }) => listing_id === s.room.id)?.nights ?? [];
      expect(days.some(({ available }) => available)).toBe(true);
      for (const { date, available } of days) {
        const night = dates(date, addDays(date, 1));
        const preview = await previewCheckout(s.other, { items: [s.item(night)] });
        const found = await s.found(night.check_in_date, night.check_out_date);
        const says = {
          search: found.includes(s.room.id),
          preview: preview.items[0]?.available,
          team: nights.some((one) => one.date === date),
        };
        expect([date, preparation_hours, says]).toEqual([
          date,
          preparation_hours,
          { search: available, preview: available, team: available },
        ]);
        const hold = createCheckout(s.other, { items: [s.item(night)] });
        if (!available) await expect(hold).rejects.toMatchObject(notAvailable);
        else s.clock.advance((await hold, 15 * 60_000));
      }
    }
  }, 120_000);

  it('is not found where its preparation would meet the next stay, by the index alone', async () => {
    const s = await preparationScene({ preparation_hours: 24 });
    await s.book(hours('08:00', '10:00', '2027-02-01'), s.house.id);
    await s.index();
    // The next month decides: check-out on the last day of January, prepared until noon of the first of February.
    const read = vi.spyOn(CalendarDraft.prototype, 'taken').mockReturnValue([]);
    onTestFinished(() => read.mockRestore());
    expect(await s.found('2027-01-30', '2027-01-31')).toEqual([s.house.id]);
    const { items } = await readTeamCalendar(s.owner, { from: '2027-01-29', to: '2027-01-30', limit: 100 });
    const nights = items.find(({ listing_id }) => listing_id === s.room.id)?.nights;
    expect(nights?.map(({ date }) => date)).toEqual(['2027-01-29']);
  });

  it('is offered at nearest dates that leave time for the preparation', async () => {
    const s = await preparationScene();
    await s.book(dates('2027-02-05', '2027-02-06'));
    const none = { min_nights: null, max_nights: null, closed_to_departure: null, closed: null };
    const closed = { ...none, closed_to_arrival: true };
    await putStayRules(s.owner, s.room.id, {
      default: { ...none, closed_to_arrival: null },
      ...{ min_notice_hours: null, booking_window_days: null },
      date_rules: [{ date_from: '2027-02-03', date_to: '2027-02-03', weekdays: null, ...closed }],
    });
    // The night of the 4th is prepared until 15:00, when the next guest is there; that of the 6th begins at 14:00.
    await expect(s.book(dates('2027-02-03', '2027-02-04'), s.room.id, s.other)).rejects.toMatchObject({
      code: 'STAY_NOT_ALLOWED',
      details: {
        nearest: [
          { check_in_date: '2027-02-02' },
          { check_in_date: '2027-02-01' },
          { check_in_date: '2027-01-31' },
        ],
      },
    });
  });

  it('exports the preparation where it takes hours of a night, and not otherwise', async () => {
    for (const [preparation_hours, night, day] of [
      [0, ['20270204', '20270206'], ['20270220T050000Z', '20270220T060000Z']],
      [1, ['20270204', '20270206'], ['20270220T050000Z', '20270220T060000Z']],
      [3, ['20270204', '20270207'], ['20270220T050000Z', '20270220T090000Z']],
      [24, ['20270204', '20270207'], ['20270220', '20270221', '20270220T050000Z', '20270220T070000Z']],
    ] as const) {
      const s = await preparationScene({ preparation_hours });
      await s.book();
      await s.book(hours('12:00', '13:00', '2027-02-20'));
      const { export_url } = await listFeeds(s.owner, s.room.id, 'https://api.example.com');
      const token = new URL(export_url).searchParams.get('token') ?? '';
      const { body } = await exportCalendar(s.deps, s.room.id, { token });
      const times = [...body.matchAll(/DT(?:START|END)[^:]*:(\S+)/g)].map(([, text]) => text);
      expect([preparation_hours, ...times]).toEqual([preparation_hours, ...night, ...day]);
    }
  });

  it('is archived while the home is prepared after its last stay, as before', async () => {
    const s = await preparationScene();
    await s.book();
    s.at('2027-02-06T11:00:00');
    const refused = { code: 'INVALID_STATE_TRANSITION' };
    await expect(archiveListing(s.owner, s.room.id)).rejects.toMatchObject(refused);
    s.at('2027-02-06T13:00:00');
    await expect(archiveListing(s.owner, s.room.id)).resolves.toBeDefined();
  });

  it('takes its stays along, with their preparation, when it leaves its house', async () => {
    const s = await preparationScene();
    await s.book();
    s.at('2027-02-06T13:00:00');
    await updateListing(s.owner, s.room.id, { parent_listing_id: null });
    expect(await s.taken(s.room.id, s.room.id)).toEqual(['02-04T14 02-06T15']);
    expect(await s.taken(s.house.id)).toEqual([]);
    await updateListing(s.owner, s.room.id, { parent_listing_id: s.house.id });
    expect(await s.taken(s.house.id)).toEqual(['02-04T14 02-06T15']);
    expect(await disagreements(s)).toEqual([]);
  });
});

describe('the end of a stay with preparation', () => {
  const left = async (
    local: string,
    how: (s: Awaited<ReturnType<typeof preparationScene>>, id: number) => unknown,
  ) => {
    const s = await preparationScene();
    const { reservations } = await s.book();
    const id = reservations[0]!.id;
    if (how === leave) {
      s.at('2027-02-04T10:00:00');
      await moveBooking(s.owner, id, 'check_in');
    }
    s.at(local);
    await how(s, id);
    expect(await disagreements(s)).toEqual([]);
    return { taken: await s.taken(), entries: await s.entries() };
  };
  const leave = (s: Awaited<ReturnType<typeof preparationScene>>, id: number) =>
    moveBooking(s.owner, id, 'check_out');
  const miss = (s: Awaited<ReturnType<typeof preparationScene>>, id: number) => markNoShow(s.owner, id);

  it('is free again when it is cancelled or declined', async () => {
    const s = await preparationScene();
    const { reservations } = await s.book();
    await cancelBooking(s.guest, reservations[0]!.id);
    const byHand = await preparationScene({ preparation_hours: 3, instant_book_enabled: false });
    const pending = await byHand.book();
    expect(await byHand.taken()).toEqual(['02-04T14 02-06T15']);
    await declineBooking(byHand.owner, pending.reservations[0]!.id, 'Painting');
    for (const one of [s, byHand]) expect(await disagreements(one)).toEqual([]);
    for (const one of [s, byHand]) expect([await one.taken(), await one.entries()]).toEqual([[], []]);
  });

  it('moves the preparation to an early departure', async () => {
    expect(await left('2027-02-05T09:20:00', leave)).toEqual({
      taken: ['02-04T10 02-05T13'],
      entries: ['BOOKED 02-04T10 02-05T10', 'BLOCKED 02-05T10 02-05T13 preparation'],
    });
    expect((await left('2027-02-06T11:20:00', leave)).taken).toEqual(['02-04T10 02-06T15']);
    expect((await left('2027-02-06T13:20:00', leave)).taken).toEqual(['02-04T10 02-06T15']);
    expect(await left('2027-02-04T11:20:00', leave)).toEqual({
      taken: ['02-04T10 02-04T15'],
      entries: ['BOOKED 02-04T10 02-04T12', 'BLOCKED 02-04T12 02-04T15 preparation'],
    });
  });

  it('has no preparation after a guest who did not come', async () => {
    expect(await left('2027-02-05T09:20:00', miss)).toEqual({
      taken: ['02-04T14 02-05T10'],
      entries: ['BOOKED 02-04T14 02-05T10'],
    });
    expect(await left('2027-02-06T12:20:00', miss)).toEqual({
      taken: ['02-04T14 02-06T13'],
      entries: ['BOOKED 02-04T14 02-06T12', 'BLOCKED 02-06T12 02-06T13 preparation'],
    });
    expect((await left('2027-02-06T18:20:00', miss)).taken).toEqual(['02-04T14 02-06T15']);
  });
});

describe('preparation of any length after stays of any hours', () => {
  it('lets the next stay begin exactly when it ends', async () => {
    const s = await preparationScene();
    let day = '2027-03-01';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(24),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        async (preparation_hours, from, length) => {
          day = addDays(day, 4);
          await updateListing(s.owner, s.room.id, { preparation_hours });
          const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
          await s.book(hours(clock(from), clock(from + length), day));
          const free = from + length + preparation_hours;
          const next = (hour: number) => {
            const date = addDays(day, Math.floor(hour / 24));
            return previewCheckout(s.other, {
              items: [s.item({ ...hours(clock(hour % 24), '23:59', date) })],
            });
          };
          const available = async (hour: number) => (await next(hour)).items[0]?.available;
          expect(await available(free - 1)).toBe(false);
          expect(await available(free)).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  }, 60_000);
});
