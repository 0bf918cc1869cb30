import { describe, expect, it } from 'vitest';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import {
  nights,
  ok,
  refusal,
  type Slot,
  stay,
  stopClock,
  tally,
  times,
  type ReplyOf,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';
import { testContext, testUser } from '../support/table.ts';

const s = useOrderScene();

const book = async (who: Who, listing: Pick<Listing, 'id'>, given: object = {}): Promise<number> => {
  const body = { items: [stay(listing, given)], payment_method: 'CASH' };
  return ok(await s.confirm(who, body), 201).reservations[0]!.id;
};

const at = (block_date: string, given: object = {}) => ({ block_date, ...given });
const span = (start_at: string, end_at: string) => ({ start_at, end_at });
const startsOf = (entries: { start_at: string }[]) => entries.map(({ start_at }) => start_at);

describe('GET …/calendar', () => {
  it('is the listing’s present month unless another is asked for', async () => {
    const listing = await s.listing();
    await book(s.guest, listing, nights('2027-01-20', '2027-01-22'));
    await book(s.guest, listing, nights('2027-02-10', '2027-02-12'));
    expect(startsOf(ok(await s.month(s.guest, listing)))).toEqual(['2027-01-20T14:00:00']);
    expect(startsOf(ok(await s.month(s.guest, listing, { month: 2 })))).toEqual(['2027-02-10T14:00:00']);
    expect(ok(await s.month(s.guest, listing, { year: 2028 }))).toEqual([]);
    expect(startsOf(ok(await s.month(s.guest, listing, { year: 2027, month: 2 })))).toHaveLength(1);
  });

  it('takes the month from the listing’s own clock', async () => {
    const [samoa, home] = [
      await s.listing({ timezone: 'Pacific/Apia' }),
      await s.listing({ timezone: 'America/New_York' }),
    ];
    for (const listing of [samoa, home]) {
      await book(s.guest, listing, nights('2027-01-31', '2027-02-01'));
      await book(s.guest, listing, nights('2027-02-05', '2027-02-06'));
    }
    stopClock('2027-01-31T12:00:00.000Z'); // February in Apia, January in New York
    expect(startsOf(ok(await s.month(s.guest, samoa)))).toEqual([
      '2027-01-31T14:00:00',
      '2027-02-05T14:00:00',
    ]);
    expect(startsOf(ok(await s.month(s.guest, home)))).toEqual(['2027-01-31T14:00:00']);
  });

  it('shows an entry in every month it touches, December to January too', async () => {
    const listing = await s.listing();
    await book(s.guest, listing, nights('2027-12-30', '2028-01-02'));
    for (const query of [
      { year: 2027, month: 12 },
      { year: 2028, month: 1 },
    ])
      expect(ok(await s.month(s.guest, listing, query))).toMatchObject([
        { date: '2027-12-30', start_at: '2027-12-30T14:00:00', end_at: '2028-01-02T12:00:00' },
      ]);
    expect(ok(await s.month(s.guest, listing, { year: 2028, month: 2 }))).toEqual([]);
  });

  it('shows a stay of a year in each of its months', async () => {
    const listing = await s.listing();
    await book(s.guest, listing, nights('2027-02-10', '2028-02-10'));
    for (const [year, month] of [
      [2027, 2],
      [2027, 3],
      [2027, 12],
      [2028, 1],
      [2028, 2],
    ] as const)
      expect(ok(await s.month(s.guest, listing, { year, month })), `${year}-${month}`).toHaveLength(1);
    expect(ok(await s.month(s.guest, listing, { year: 2028, month: 3 }))).toEqual([]);
  });

  it('refuses what is no month, all at once', async () => {
    const listing = await s.listing();
    const wrong = await s.month(s.guest, listing, { year: 1999, month: 13, day: 1 });
    expect(refusal(wrong).paths.sort()).toEqual(['day', 'month', 'year']);
    for (const query of [{ month: 0 }, { month: '1.5' }, { month: 'Feb' }, { year: 2200 }, { year: '' }])
      expect(refusal(await s.month(s.guest, listing, query)).code).toBe('VALIDATION_ERROR');
    expect(ok(await s.month(s.guest, listing, { year: 2199, month: 12 }))).toEqual([]);
  });
});

describe('GET …/listings/{listing_id} (range)', () => {
  it('is from today on and for 365 days, both dates inclusive', async () => {
    const listing = await s.listing();
    for (const [first, last] of [
      ['2027-01-15', '2027-01-16'],
      ['2028-01-14', '2028-01-15'],
      ['2028-01-15', '2028-01-16'],
    ] as const)
      await book(s.guest, listing, nights(first, last));
    expect(startsOf(ok(await s.range(s.guest, listing)))).toEqual([
      '2027-01-15T14:00:00',
      '2028-01-14T14:00:00',
    ]);
    const one = { start_date: '2028-01-15', end_date: '2028-01-15' };
    expect(startsOf(ok(await s.range(s.guest, listing, one)))).toEqual([
      '2028-01-14T14:00:00',
      '2028-01-15T14:00:00',
    ]);
  });

  it('filters by state', async () => {
    const listing = await s.listing();
    await book(s.guest, listing);
    ok(await s.block(s.host, listing, at('2027-03-01')), 201);
    ok(await s.hold(s.other, { items: [stay(listing, nights('2027-04-01', '2027-04-02'))] }), 201);
    for (const state of ['BOOKED', 'BLOCKED', 'SOFT_LOCK'])
      expect(ok(await s.range(s.guest, listing, { state }))).toMatchObject([{ state }]);
    expect(ok(await s.range(s.guest, listing))).toHaveLength(3);
    expect(refusal(await s.range(s.guest, listing, { state: 'FREE' })).paths).toEqual(['state']);
    stopClock('2027-01-15T03:15:00.000Z');
    expect(ok(await s.range(s.guest, listing, { state: 'SOFT_LOCK' }))).toEqual([]);
  });

  it('answers the free gaps with id 0 (D28)', async () => {
    const listing = await s.listing();
    await book(s.guest, listing, {
      ...nights('2027-02-10', '2027-02-10'),
      check_in_time: '10:15',
      check_out_time: '11:15',
    });
    await book(s.guest, listing, nights('2027-02-11', '2027-02-13'));
    const query = { start_date: '2027-02-10', end_date: '2027-02-12', state: 'AVAILABLE' };
    expect(ok(await s.range(s.guest, listing, query))).toEqual(
      [
        ['2027-02-10T00:00:00', '2027-02-10T10:00:00'],
        ['2027-02-10T12:00:00', '2027-02-11T14:00:00'],
      ].map(([start_at, end_at]) => ({
        id: 0,
        listing_id: listing.id,
        reservation_id: null,
        date: start_at!.slice(0, 10),
        start_at,
        end_at,
        state: 'AVAILABLE',
        locked_until: null,
        note: null,
        created_at: null,
      })),
    );
    const empty = { start_date: '2027-05-01', end_date: '2027-05-01', state: 'AVAILABLE' };
    expect(ok(await s.range(s.guest, listing, empty))).toMatchObject([
      { start_at: '2027-05-01T00:00:00', end_at: '2027-05-02T00:00:00' },
    ]);
    const full = { start_date: '2027-02-12', end_date: '2027-02-12', state: 'AVAILABLE' };
    expect(ok(await s.range(s.guest, listing, full))).toEqual([]);
  });

  it('leaves no gap of a parent where any of its children is taken', async () => {
    const parent = await s.listing();
    const [one, two] = [
      await s.listing({ parent_listing_id: parent.id }),
      await s.listing({ parent_listing_id: parent.id }),
    ];
    await book(s.guest, one, nights('2027-02-10', '2027-02-14'));
    await book(s.guest, two, nights('2027-02-11', '2027-02-12'));
    const query = { start_date: '2027-02-10', end_date: '2027-02-14', state: 'AVAILABLE' };
    const gaps = (listing: Listing) =>
      s
        .range(s.guest, listing, query)
        .then((reply) => ok(reply).map(({ start_at, end_at }) => `${start_at} ${end_at}`));
    expect(await gaps(parent)).toEqual([
      '2027-02-10T00:00:00 2027-02-10T14:00:00',
      '2027-02-14T12:00:00 2027-02-15T00:00:00',
    ]);
    expect(await gaps(two)).toEqual([
      '2027-02-10T00:00:00 2027-02-11T14:00:00',
      '2027-02-12T12:00:00 2027-02-15T00:00:00',
    ]);
  });

  it('refuses bad dates with VALIDATION_ERROR, all at once', async () => {
    const listing = await s.listing();
    const wrong = { start_date: '2027-02-30', end_date: '1.2.2027', cursor: 'x' };
    expect(refusal(await s.range(s.guest, listing, wrong)).paths.sort()).toEqual([
      'cursor',
      'end_date',
      'start_date',
    ]);
    for (const query of [
      { start_date: '2027-02-02', end_date: '2027-02-01' },
      { start_date: '2027-02-02', end_date: '2031-02-01' },
      { end_date: '2027-01-14' },
      { start_date: '1999-12-31', end_date: '2000-01-01' },
      { start_date: '9999-12-31' },
      { start_date: '9999-12-31', end_date: '9999-12-31' },
      { start_date: '0000-01-01', end_date: '0000-01-02' },
    ])
      expect(refusal(await s.range(s.guest, listing, query)).code, JSON.stringify(query)).toBe(
        'VALIDATION_ERROR',
      );
    expect(ok(await s.range(s.guest, listing, { start_date: '2199-12-31' }))).toEqual([]);
    expect(ok(await s.range(s.guest, listing, { start_date: '2000-01-01', end_date: '2000-01-01' }))).toEqual(
      [],
    );
  });

  it('shows a guest the own bookings among them, also those made by others for the guest, and no other’s', async () => {
    const parent = await s.listing();
    const [one, two] = [
      await s.listing({ parent_listing_id: parent.id }),
      await s.listing({ parent_listing_id: parent.id }),
    ];
    const own = await book(s.guest, one);
    const others = await book(s.other, one, nights('2027-02-20', '2027-02-22'));
    const lock = { items: [stay(two, nights('2027-03-01', '2027-03-02'))] };
    const { checkout_id } = ok(await s.hold(s.guest, lock), 201);
    const held = { checkout_id, payment_method: 'CASH' };
    const locked = ok(await s.confirm(s.guest, held), 201).reservations[0]!.id;
    const idsFor = async (who: Who, listing: Listing) =>
      ok(await s.range(who, listing)).map(({ reservation_id }) => reservation_id);
    expect(await idsFor(s.guest, one)).toEqual([own, null]);
    expect(await idsFor(s.other, one)).toEqual([null, others]);
    expect(await idsFor(s.guest, two)).toEqual([locked]);
    expect(await idsFor(s.host, one)).toEqual([own, others]);
    expect(await idsFor(s.guest, parent)).toEqual([null, null, null]);
    const shown = await s.month(s.guest, one, { month: 2 });
    expect(ok(shown)).toMatchObject([{ reservation_id: own, note: null }, { reservation_id: null }]);
    expect(shown.text).not.toContain(String(s.guest.user_id));
    expect(shown.text).not.toContain(String(s.other.user_id));
  });

  it('shows the own booking still when its home has moved into a family', async () => {
    const [parent, room] = [await s.listing(), await s.listing()];
    const own = await book(s.guest, room);
    const owner = (await testUser(s.deps, { memberships: [{ team_id: s.a.team_id, role: 'OWNER' }] })).caller;
    await updateListing(testContext(s.deps, owner), room.id, { parent_listing_id: parent.id });
    expect(ok(await s.range(s.guest, room))).toMatchObject([{ reservation_id: own }]);
  });

  it('shows others’ reservation and note to the hosts of the team alone (D15)', async () => {
    const listing = await s.listing();
    const id = await book(s.guest, listing);
    ok(await s.block(s.staff, listing, at('2027-03-01', { note: 'Painting' })), 201);
    for (const who of [s.host, s.staff])
      expect(ok(await s.range(who, listing))).toMatchObject([{ reservation_id: id }, { note: 'Painting' }]);
    for (const who of [s.other, s.otherHost])
      for (const reply of [
        await s.range(who, listing),
        await s.month(who, listing, { month: 2 }),
        await s.month(who, listing, { month: 3 }),
        await s.days(who, listing),
      ]) {
        expect(reply.text).not.toContain('Painting');
        expect(reply.text).not.toContain(String(id));
      }
  });

  it('names no reservation and no note in what a parent or child inherits (D27)', async () => {
    const parent = await s.listing();
    const child = await s.listing({ parent_listing_id: parent.id });
    await book(s.guest, child);
    ok(await s.block(s.host, parent, at('2027-03-01', { note: 'Painting' })), 201);
    expect(ok(await s.range(s.host, parent))).toMatchObject([
      { listing_id: parent.id, state: 'BOOKED', reservation_id: null },
      { note: 'Painting' },
    ]);
    expect(ok(await s.range(s.host, child))).toMatchObject([
      { reservation_id: expect.any(Number) as number },
      { listing_id: child.id, state: 'BLOCKED', note: null },
    ]);
  });
});

describe('a listing that is not open', () => {
  it('is there for its hosts alone', async () => {
    const draft = await s.listing({ state: 'DRAFT' });
    const gone = await s.listing({ state: 'ARCHIVED' });
    const reads = (who: Who, listing: Listing): Promise<ReplyOf<unknown>>[] => [
      s.month(who, listing),
      s.range(who, listing),
      s.hours(who, listing, '2027-02-10T0000', '2027-02-11T0000'),
      s.days(who, listing),
    ];
    for (const reply of await Promise.all(reads(s.host, draft))) ok(reply);
    for (const reply of await Promise.all([
      ...reads(s.guest, draft),
      ...reads(s.otherHost, draft),
      ...reads(s.host, gone),
      ...reads(s.guest, { ...draft, id: 5 }),
    ]))
      expect(refusal(reply).code).toBe('LISTING_NOT_FOUND');
  });

  it.each(['0', 'x', '1.5', '-2'])('and %s is no id', async (id) => {
    const asked = { token: s.host.token };
    const paths = [
      `/api/v1/listing-availability/listings/${id}/calendar`,
      `/api/v1/listing-availability/listings/${id}`,
      `/api/v1/listings/${id}/availability`,
    ];
    for (const path of paths) expect(refusal(await s.call('GET', path, asked)).paths).toEqual(['listing_id']);
    const block = `/api/v1/listing-availability/listings/${id}/blocks`;
    expect(
      refusal(await s.call('POST', block, { ...asked, body: { date: '2027-02-30' } })).paths.sort(),
    ).toEqual(['date', 'listing_id']);
    expect(refusal(await s.call('DELETE', `${block}/${id}`, asked)).paths.sort()).toEqual([
      'availability_id',
      'listing_id',
    ]);
  });
});

describe('GET …/calendars/unavailable', () => {
  it('lists the start of every taken hour, in the form it was asked in', async () => {
    const listing = await s.listing();
    await book(s.guest, listing, nights('2027-02-28', '2027-03-01'));
    const taken = ok(await s.hours(s.guest, listing, '2027-02-28T1300', '2027-03-01T1300'));
    expect(taken).toHaveLength(22);
    expect([taken[0], taken[9], taken[10], taken.at(-1)]).toEqual([
      '2027-02-28T1400',
      '2027-02-28T2300',
      '2027-03-01T0000',
      '2027-03-01T1100',
    ]);
    expect(ok(await s.hours(s.guest, listing, '2027-03-01T1200', '2027-03-02T0000'))).toEqual([]);
    expect(ok(await s.hours(s.guest, listing, '2027-03-01T1100', '2027-03-01T1200'))).toEqual([
      '2027-03-01T1100',
    ]);
  });

  it('counts a soft lock until it has expired', async () => {
    const listing = await s.listing();
    ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const ask = () => s.hours(s.other, listing, '2027-02-10T1400', '2027-02-10T1500').then(ok);
    stopClock('2027-01-15T03:14:59.999Z');
    expect(await ask()).toEqual(['2027-02-10T1400']);
    stopClock('2027-01-15T03:15:00.000Z');
    expect(await ask()).toEqual([]);
  });

  it('takes 92 days, not more (D29)', async () => {
    const listing = await s.listing();
    expect(ok(await s.hours(s.guest, listing, '2027-02-01T0000', '2027-05-04T0000'))).toEqual([]);
    expect(refusal(await s.hours(s.guest, listing, '2027-02-01T0000', '2027-05-04T0100')).paths).toEqual([
      'end_time',
    ]);
  });

  it.each([
    ['2027-02-01T0000', '2027-02-01T0000', ['end_time']],
    ['2027-02-02T0000', '2027-02-01T0000', ['end_time']],
    ['2027-02-01T00:00', '2027-02-30T0000', ['end_time', 'start_time']],
    ['2027-02-31T0000', '2027-03-05T0000', ['start_time']],
    ['2027-02-01T2400', '2027-02-01', ['end_time', 'start_time']],
    ['9999-12-31T2200', '9999-12-31T2300', ['end_time', 'start_time']],
    ['1999-12-31T2200', '2000-01-01T2300', ['start_time']],
  ])('refuses %s to %s', async (from, to, paths) => {
    const listing = await s.listing();
    expect(refusal(await s.hours(s.guest, listing, from, to)).paths.sort()).toEqual(paths);
  });

  it('asks for both times', async () => {
    const listing = await s.listing();
    const path = `/api/v1/listing-availability/listings/${listing.id}/calendars/unavailable`;
    expect(refusal(await s.get(s.guest, path)).paths.sort()).toEqual(['end_time', 'start_time']);
  });
});

describe('blocks (D30)', () => {
  it('take the night of a date, by either name, or an interval', async () => {
    const listing = await s.listing();
    const day = ok(await s.block(s.host, listing, at('2027-02-28', { note: 'Painting' })), 201);
    expect(day).toEqual({
      id: expect.any(Number) as number,
      listing_id: listing.id,
      reservation_id: null,
      date: '2027-02-28',
      start_at: '2027-02-28T14:00:00',
      end_at: '2027-03-01T12:00:00',
      state: 'BLOCKED',
      locked_until: null,
      note: 'Painting',
      created_at: '2027-01-15T03:00:00.000Z',
      ...{ kind: 'BLOCK', availability_id: day.id, booking_id: null },
      ...{ source: null, summary: null, because_of: null, payment: null },
    });
    expect(ok(await s.block(s.host, listing, { date: '2027-03-01' }), 201)).toMatchObject({
      start_at: '2027-03-01T14:00:00',
    });
    const hours = span('2027-12-31T22:30', '2028-01-01T03:15:00');
    expect(ok(await s.block(s.staff, listing, hours), 201)).toMatchObject({
      date: '2027-12-31',
      start_at: '2027-12-31T22:30:00',
      end_at: '2028-01-01T03:15:00',
      note: null,
    });
    expect(ok(await s.hours(s.guest, listing, '2027-12-31T2100', '2028-01-01T0500'))).toEqual([
      '2027-12-31T2200',
      '2027-12-31T2300',
      '2028-01-01T0000',
      '2028-01-01T0100',
      '2028-01-01T0200',
      '2028-01-01T0300',
    ]);
  });

  it('of a date leave the nights around it to be sold: arrival the day after, departure on it', async () => {
    const listing = await s.listing();
    ok(await s.block(s.host, listing, at('2027-02-10')), 201);
    await book(s.guest, listing, nights('2027-02-08', '2027-02-10'));
    await book(s.guest, listing, nights('2027-02-11', '2027-02-12'));
    const asked = s.preview(s.guest, { items: [stay(listing, nights('2027-02-10', '2027-02-11'))] });
    expect(ok(await asked).items[0]).toMatchObject({ available: false });
  });

  it('of a date take the day too where the listing is sold by the hour', async () => {
    const listing = await s.listing({ allow_hourly_booking: true, price_per_hour: 100 });
    expect(ok(await s.block(s.host, listing, at('2027-02-10')), 201)).toMatchObject({
      start_at: '2027-02-10T00:00:00',
      end_at: '2027-02-11T12:00:00',
    });
    expect(ok(await s.hours(s.guest, listing, '2027-02-09T2200', '2027-02-11T1300'))).toHaveLength(36);
  });

  it('of a date keep to the hours of the listing', async () => {
    const listing = await s.listing({
      standard_check_in_time: '16:00:00',
      standard_check_out_time: '10:30:00',
    });
    expect(ok(await s.block(s.host, listing, at('2027-02-10')), 201)).toMatchObject({
      start_at: '2027-02-10T16:00:00',
      end_at: '2027-02-11T11:00:00',
    });
  });

  it('are lifted, and their hours are free again, over the end of a month', async () => {
    const listing = await s.listing();
    const { id } = ok(await s.block(s.host, listing, span('2027-02-27T10:00', '2027-03-02T10:00')), 201);
    expect(refusal(await s.block(s.host, listing, at('2027-03-01'))).code).toBe('LISTING_NOT_AVAILABLE');
    expect(ok(await s.unblock(s.staff, listing, id))).toEqual({
      message: 'Block removed',
      availability_id: id,
    });
    expect(ok(await s.range(s.host, listing))).toEqual([]);
    expect(ok(await s.hours(s.host, listing, '2027-02-01T0000', '2027-04-01T0000'))).toEqual([]);
    await book(s.guest, listing, nights('2027-02-27', '2027-03-02'));
    expect(refusal(await s.unblock(s.host, listing, id)).code).toBe('NOT_FOUND');
  });

  it('do not go over a booking, a live soft lock or another block, to the hour', async () => {
    const listing = await s.listing();
    await book(s.guest, listing);
    ok(await s.hold(s.guest, { items: [stay(listing, nights('2027-03-10', '2027-03-11'))] }), 201);
    ok(await s.block(s.host, listing, at('2027-04-10')), 201);
    for (const body of [
      at('2027-02-10'),
      at('2027-02-11'),
      span('2027-02-12T11:59', '2027-02-12T13:00'),
      at('2027-03-10'),
      at('2027-04-10'),
      span('2027-04-10T09:00', '2027-04-10T14:01'),
    ])
      expect(refusal(await s.block(s.host, listing, body)).code).toBe('LISTING_NOT_AVAILABLE');
    const taken = refusal(await s.block(s.host, listing, at('2027-02-11'))).details['unavailable'];
    expect(taken).toEqual([
      { listing_id: listing.id, ...span('2027-02-11T14:00:00', '2027-02-12T12:00:00') },
    ]);
    ok(await s.block(s.host, listing, span('2027-02-12T12:00', '2027-02-12T13:00')), 201);
    ok(await s.block(s.host, listing, span('2027-04-10T09:00', '2027-04-10T14:00')), 201);
    stopClock('2027-01-15T03:15:00.000Z');
    ok(await s.block(s.host, listing, at('2027-03-10')), 201);
  });

  it.each([
    [{}, ['block_date']],
    [{ start_at: '2027-02-10T10:00' }, ['end_at']],
    [{ end_at: '2027-02-10T10:00' }, ['start_at']],
    [{ block_date: '2027-02-10', start_at: '2027-02-10T10:00' }, ['end_at']],
    [span('2027-02-10T10:00', '2027-02-10T10:00'), ['end_at']],
    [span('2027-02-10T10:00', '2027-02-10T09:00'), ['end_at']],
    [span('2027-02-10T10:00', '2028-02-11T09:00'), ['end_at']],
    [span('2027-02-10T10:00Z', '2027-02-30T10:00'), ['end_at', 'start_at']],
    [{ block_date: '2027-02-29', note: 5, colour: 'red' }, ['block_date', 'colour', 'note']],
    [{ block_date: '2027-02-10', date: '2027-02-11' }, ['date']],
    [
      { date: '2027-02-11', ...span('2027-02-10T10:00', '2027-02-10T12:00'), block_date: '2027-02-10' },
      ['date'],
    ],
    [{ block_date: '2027-02-09', ...span('2027-02-10T10:00', '2027-02-10T12:00') }, ['block_date']],
    [{ block_date: '2027-02-11', ...span('2027-02-10T22:00', '2027-02-11T02:00') }, ['block_date']],
    [{ date: '2027-02-11', ...span('2027-02-10T10:00', '2027-02-10T12:00') }, ['date']],
    [{ block_date: '9999-12-31' }, ['block_date']],
    [{ block_date: '2200-01-01' }, ['block_date']],
    [{ block_date: '1999-12-31' }, ['block_date']],
    [{ date: '0001-01-01' }, ['date']],
    [span('9999-12-31T10:00', '9999-12-31T11:00'), ['end_at', 'start_at']],
    [span('1999-12-31T10:00', '2000-01-01T11:00'), ['start_at']],
  ])('refuse %j', async (body, paths) => {
    const listing = await s.listing();
    expect(refusal(await s.block(s.host, listing, body)).paths.sort()).toEqual(paths);
    expect(ok(await s.range(s.host, listing))).toEqual([]);
  });

  it('take the day under both names when it is the same', async () => {
    const listing = await s.listing();
    expect(ok(await s.block(s.host, listing, at('2027-02-10', { date: '2027-02-10' })), 201).date).toBe(
      '2027-02-10',
    );
  });

  it('take an interval beside its own date', async () => {
    const listing = await s.listing();
    const hours = span('2027-02-10T22:00:00', '2027-02-11T02:00:00');
    expect(ok(await s.block(s.host, listing, at('2027-02-10', hours)), 201)).toMatchObject(hours);
  });

  it('may stand at the very ends of the calendar and be lifted there', async () => {
    const listing = await s.listing();
    for (const date of ['2000-01-01', '2199-12-31']) {
      const { id } = ok(await s.block(s.host, listing, { date }), 201);
      expect(ok(await s.range(s.host, listing, { start_date: date, end_date: date }))).toHaveLength(1);
      ok(await s.unblock(s.host, listing, id));
    }
  });

  it('take 365 nights, and are found and lifted by any of their days', async () => {
    const listing = await s.listing();
    const { id } = ok(await s.block(s.host, listing, span('2027-02-10T00:00', '2028-02-10T00:00')), 201);
    for (const date of ['2027-02-10', '2027-08-01', '2028-02-09'])
      expect(ok(await s.range(s.host, listing, { start_date: date, end_date: date }))).toHaveLength(1);
    ok(await s.unblock(s.host, listing, id));
    expect(
      ok(await s.days(s.host, listing, { start_date: '2027-08-01', end_date: '2027-08-01' })).items,
    ).toMatchObject([{ available: true }]);
  });

  it('are not what a booking or a lock is, nor another listing’s or a parent’s', async () => {
    const parent = await s.listing();
    const [one, two] = [
      await s.listing({ parent_listing_id: parent.id }),
      await s.listing({ parent_listing_id: parent.id }),
    ];
    await book(s.guest, one);
    const lock = ok(await s.hold(s.guest, { items: [stay(two)] }), 201).items[0]!.availability_id;
    const [booking] = ok(await s.range(s.host, one));
    const block = ok(await s.block(s.host, parent, at('2027-03-01')), 201);
    for (const [listing, id] of [
      [one, booking!.id],
      [two, lock],
      [one, block.id],
      [await s.listing(), block.id],
      [parent, 5],
    ] as const)
      expect(refusal(await s.unblock(s.host, listing, id)).code).toBe('NOT_FOUND');
    for (const who of [s.guest, s.otherHost])
      expect(refusal(await s.unblock(who, parent, block.id)).code).toMatch(/FORBIDDEN|LISTING_NOT_FOUND/);
    for (const listing of [parent, one, two])
      expect(refusal(await s.block(s.host, listing, at('2027-03-01'))).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.unblock(s.host, parent, block.id));
    for (const listing of [one, two]) ok(await s.block(s.host, listing, at('2027-03-01')), 201);
  });

  it('of a child free the parent only with the last of them', async () => {
    const parent = await s.listing();
    const [one, two] = [
      await s.listing({ parent_listing_id: parent.id }),
      await s.listing({ parent_listing_id: parent.id }),
    ];
    const [first, second] = [
      ok(await s.block(s.host, one, at('2027-03-01')), 201),
      ok(await s.block(s.host, two, at('2027-03-01')), 201),
    ];
    ok(await s.unblock(s.host, one, first.id));
    expect(refusal(await s.block(s.host, parent, at('2027-03-01'))).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.unblock(s.host, two, second.id));
    ok(await s.block(s.host, parent, at('2027-03-01')), 201);
  });

  it('win or lose against guests who come at once, never both', async () => {
    const listing = await s.listing();
    const guests = await times(10, () => s.person());
    const replies = await Promise.all(
      guests.flatMap((guest) => [
        s.confirm(guest, { items: [stay(listing)], payment_method: 'CASH' }),
        s.block(s.host, listing, at('2027-02-11')),
      ]),
    );
    expect(tally(replies)).toEqual({ '201': 1, '409 LISTING_NOT_AVAILABLE': 19 });
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('are lifted once when twenty ask', async () => {
    const listing = await s.listing();
    const { id } = ok(await s.block(s.host, listing, at('2027-03-01')), 201);
    const replies = await times(20, () => s.unblock(s.host, listing, id));
    expect(tally(replies)).toEqual({ '200': 1, '404 NOT_FOUND': 19 });
  });

  it('repeat their answer under an Idempotency-Key', async () => {
    const listing = await s.listing();
    const key = { 'Idempotency-Key': 'block' };
    const replies = await times(20, () => s.block(s.host, listing, at('2027-03-01'), key));
    expect(tally(replies)).toEqual({ '201': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(refusal(await s.block(s.host, listing, at('2027-03-02'), key)).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('are for hosts, STAFF included', async () => {
    const listing = await s.listing();
    const manager = await s.person('MANAGER');
    expect(refusal(await s.block(s.guest, listing, at('2027-03-01'))).code).toBe('FORBIDDEN');
    expect(refusal(await s.block(s.otherHost, listing, at('2027-03-01'))).code).toBe('FORBIDDEN');
    ok(await s.block(manager, listing, at('2027-03-01')), 201);
  });
});

describe('GET /listings/{listing_id}/availability (D31)', () => {
  it('prices 90 days from today, by the same rules as a booking', async () => {
    const listing = await s.listing({
      prices_by_week: { 5: 1_500_000 },
      parts: {
        rules: [
          {
            id: 91,
            listing_id: 1,
            date_type: 'DATE_RANGE',
            day_of_week: null,
            date_from: '2027-02-05',
            date_to: '2027-02-06',
            charge_unit: 'PER_NIGHT',
            stay_type: 'OVERNIGHT',
            price: 2_000_000,
            priority: 10,
            is_active: true,
          } as never,
        ],
      },
    });
    const shown = ok(await s.days(s.guest, listing));
    expect(shown).toMatchObject({
      listing_id: listing.id,
      currency: 'VND',
      timezone: 'Asia/Ho_Chi_Minh',
      granularity: 'day',
    });
    expect(shown.items).toHaveLength(90);
    expect(shown.items[0]).toEqual({
      date: '2027-01-15',
      state: 'AVAILABLE',
      available: true,
      price: 1_500_000,
      pricing_rule_id: null,
      min_nights: 1,
      can_arrive: true,
      can_depart: true,
      max_nights: null,
    });
    expect(shown.items.find(({ date }) => date === '2027-02-05')).toMatchObject({
      price: 2_000_000,
      pricing_rule_id: 91,
    });
    const preview = ok(
      await s.preview(s.guest, { items: [stay(listing, nights('2027-02-03', '2027-02-13'))] }),
    );
    const sum = shown.items
      .filter(({ date }) => date >= '2027-02-03' && date < '2027-02-13')
      .reduce((total, { price }) => total + (price ?? 0), 0);
    expect(preview.items[0]!.base_price).toBe(sum);
  });

  it('says of each night whether it can be booked, and why not', async () => {
    const listing = await s.listing();
    await book(s.guest, listing);
    ok(await s.block(s.host, listing, at('2027-02-14')), 201);
    ok(await s.hold(s.other, { items: [stay(listing, nights('2027-02-17', '2027-02-18'))] }), 201);
    const query = { start_date: '2027-02-09', end_date: '2027-02-18' };
    const states = ok(await s.days(s.guest, listing, query)).items.map(({ date, state, available }) => [
      date.slice(8),
      state,
      available,
    ]);
    expect(states).toEqual([
      ['09', 'AVAILABLE', true],
      ['10', 'BOOKED', false],
      ['11', 'BOOKED', false],
      ['12', 'AVAILABLE', true],
      ['13', 'AVAILABLE', true],
      ['14', 'BLOCKED', false],
      ['15', 'AVAILABLE', true],
      ['16', 'AVAILABLE', true],
      ['17', 'SOFT_LOCK', false],
      ['18', 'AVAILABLE', true],
    ]);
  });

  it('says of a night what stands in its whole hours', async () => {
    const listing = await s.listing({
      standard_check_in_time: '14:30:00',
      standard_check_out_time: '11:20:00',
    });
    ok(await s.block(s.host, listing, span('2027-06-02T11:30', '2027-06-02T12:00')), 201);
    ok(await s.block(s.host, listing, span('2027-06-05T14:00', '2027-06-05T14:10')), 201);
    const lock = { check_in_time: '11:30', check_out_time: '12:30' };
    ok(
      await s.hold(s.other, { items: [stay(listing, { ...nights('2027-06-08', '2027-06-08'), ...lock })] }),
      201,
    );
    const query = { start_date: '2027-06-01', end_date: '2027-06-08' };
    expect(ok(await s.days(s.guest, listing, query)).items.map(({ state }) => state)).toEqual([
      'BLOCKED',
      'AVAILABLE',
      'AVAILABLE',
      'AVAILABLE',
      'BLOCKED',
      'AVAILABLE',
      'SOFT_LOCK',
      'AVAILABLE',
    ]);
    const wider = { start_date: '2027-06-01', end_date: '2027-06-01' };
    expect(ok(await s.days(s.guest, listing, wider)).items, 'at the end of a range').toMatchObject([
      { state: 'BLOCKED', available: false },
    ]);
  });

  it('offers nothing of a listing that is not ACTIVE, to any caller', async () => {
    const query = { start_date: '2027-02-10', end_date: '2027-02-10' };
    const partner = await s.partner();
    const external = (listing: Listing, granularity: string) =>
      s.get<{ items: Slot[] }>(partner, `/api/v1/external/listings/${listing.id}/availability`, {
        ...query,
        granularity,
      });
    for (const state of ['DRAFT', 'INACTIVE', 'ACTIVE'] as const) {
      const listing = await s.listing({ state, allow_hourly_booking: true, price_per_hour: 90_000 });
      for (const granularity of ['day', 'hour']) {
        const replies = [
          await s.days(s.host, listing, { ...query, granularity }),
          await external(listing, granularity),
        ];
        for (const reply of replies)
          for (const item of ok<{ items: Slot[] }>(reply).items)
            expect(item, `${state} by ${granularity}`).toMatchObject({
              state: 'AVAILABLE',
              available: state === 'ACTIVE',
            });
      }
    }
  });

  it('offers no night of the past and none too far ahead', async () => {
    const listing = await s.listing();
    const offered = async (start_date: string, end_date: string) =>
      ok(await s.days(s.guest, listing, { start_date, end_date })).items.map(({ available }) => available);
    expect(await offered('2027-01-13', '2027-01-16')).toEqual([false, false, true, true]);
    expect(await offered('2029-01-13', '2029-01-15')).toEqual([true, true, false]);
    stopClock('2027-01-15T17:30:00.000Z'); // 00:30 on the 16th in Hà Nội
    expect(await offered('2027-01-15', '2027-01-16')).toEqual([false, true]);
  });

  it('agrees with what can be booked, night for night', async () => {
    const listing = await s.listing({
      standard_check_in_time: '14:30:00',
      standard_check_out_time: '11:30:00',
    });
    await book(s.guest, listing, nights('2027-02-28', '2027-03-02'));
    ok(await s.block(s.host, listing, span('2027-03-05T11:45', '2027-03-05T14:15')), 201);
    const query = { start_date: '2027-02-26', end_date: '2027-03-08' };
    for (const { date, available } of ok(await s.days(s.guest, listing, query)).items) {
      const [year, month, day] = date.split('-').map(Number) as [number, number, number];
      const next = new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
      const preview = ok(await s.preview(s.guest, { items: [stay(listing, nights(date, next))] }));
      expect(preview.items[0]!.available, date).toBe(available);
    }
  });

  it('shows hours with their price, a booking before a block before a lock', async () => {
    const listing = await s.listing({
      allow_hourly_booking: true,
      price_per_hour: 90_000,
      price_first_hours: 0,
    });
    await book(s.guest, listing, {
      ...nights('2027-02-10', '2027-02-10'),
      check_in_time: '10:15',
      check_out_time: '12:15',
    });
    const query = { start_date: '2027-02-10', end_date: '2027-02-10', granularity: 'hour' };
    const shown = ok(await s.days(s.guest, listing, query));
    expect(shown.granularity).toBe('hour');
    expect(shown.items).toHaveLength(24);
    expect(shown.items[9]).toEqual({
      start_at: '2027-02-10T09:00:00',
      end_at: '2027-02-10T10:00:00',
      state: 'AVAILABLE',
      available: true,
      price: 90_000,
    });
    const taken = shown.items.flatMap(({ available }, hour) => (available ? [] : [hour]));
    expect(taken).toEqual([10, 11, 12]);
    const nightly = await s.listing();
    expect(ok(await s.days(s.guest, nightly, query)).items[0]).toMatchObject({ price: null });
  });

  it('offers no hour that a stay cannot begin in', async () => {
    const hourly = { allow_hourly_booking: true, price_per_hour: 90_000, price_first_hours: 0 };
    const listing = await s.listing({ ...hourly, no_checkin_after_hour: '21:30:00' });
    const [always, late] = [
      await s.listing(hourly),
      await s.listing({ ...hourly, no_checkin_after_hour: '01:00:00' }),
    ];
    const offered = async (one: Listing, date: string) =>
      ok(await s.days(s.guest, one, { start_date: date, end_date: date, granularity: 'hour' })).items.flatMap(
        ({ available }, hour) => (available ? [hour] : []),
      );
    const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, hour) => from + hour);
    expect(await offered(always, '2027-01-14'), 'past').toEqual([]);
    expect(await offered(always, '2027-01-15'), 'at 10:00').toEqual(hours(10, 24));
    expect(await offered(always, '2029-01-14')).toEqual(hours(0, 24));
    expect(await offered(always, '2029-01-15'), 'too far ahead').toEqual([]);
    expect(await offered(listing, '2027-02-10'), 'not behind the cut-off').toEqual(hours(0, 22));
    expect(await offered(late, '2027-02-10'), 'a cut-off of the day after').toEqual(hours(0, 24));
    stopClock('2027-01-15T14:45:00.000Z'); // 21:45 in Hà Nội
    expect(await offered(listing, '2027-01-15'), 'check-in has closed').toEqual([]);
    expect(await offered(always, '2027-01-15')).toEqual(hours(21, 24));
  });

  it('agrees with what can be booked, hour for hour', async () => {
    const listing = await s.listing({
      allow_hourly_booking: true,
      price_per_hour: 90_000,
      min_hours: 1,
      no_checkin_after_hour: '20:00:00',
    });
    stopClock('2027-01-15T05:20:00.000Z');
    const query = { start_date: '2027-01-15', end_date: '2027-01-15', granularity: 'hour' };
    for (const item of ok(await s.days(s.guest, listing, query)).items.slice(0, 23)) {
      const { start_at, end_at } = item;
      const times = { check_in_time: start_at.slice(11), check_out_time: end_at.slice(11) };
      const asked = { items: [stay(listing, { ...nights('2027-01-15', '2027-01-15'), ...times })] };
      expect((await s.preview(s.guest, asked)).status, start_at).toBe(item.available ? 200 : 400);
    }
  });

  it('takes 366 days, not more, and names every problem', async () => {
    const listing = await s.listing();
    const year = { start_date: '2027-02-01', end_date: '2028-02-01' };
    expect(ok(await s.days(s.guest, listing, year)).items).toHaveLength(366);
    const hours = ok(await s.days(s.guest, listing, { ...year, granularity: 'hour' }));
    expect(hours.items).toHaveLength(366 * 24);
    for (const [query, paths] of [
      [{ start_date: '2027-02-01', end_date: '2028-02-02' }, ['end_date']],
      [{ start_date: '2027-02-02', end_date: '2027-02-01' }, ['end_date']],
      [{ start_date: 'x', granularity: 'week', page: 1 }, ['granularity', 'page', 'start_date']],
      [{ start_date: '9999-12-30', end_date: '9999-12-30' }, ['end_date', 'start_date']],
    ] as const)
      expect(refusal(await s.days(s.guest, listing, query)).paths.sort()).toEqual(paths);
    expect(
      ok(await s.days(s.guest, listing, { start_date: '2199-12-31', end_date: '2199-12-31' })).items,
    ).toMatchObject([{ available: false }]);
  });
});

describe('days on which clocks change', () => {
  it.each([
    ['America/New_York', '2027-03-13', '2027-03-14', '2027-03-15'],
    ['America/New_York', '2027-11-06', '2027-11-07', '2027-11-08'],
    ['Europe/Paris', '2027-03-27', '2027-03-28', '2027-03-29'],
    ['Europe/Paris', '2027-10-30', '2027-10-31', '2027-11-01'],
  ])('%s: the nights before and after %s share no hour', async (timezone, before, on, after) => {
    const listing = await s.listing({ timezone });
    await book(s.guest, listing, nights(before, on));
    await book(s.other, listing, nights(on, after));
    const hours = ok(await s.hours(s.guest, listing, `${on}T0000`, `${after}T0000`));
    expect(hours).toHaveLength(22);
    expect(hours).not.toContain(`${on}T1200`);
    expect(
      ok(await s.days(s.guest, listing, { start_date: on, end_date: on, granularity: 'hour' })).items,
    ).toHaveLength(24);
    ok(await s.block(s.host, listing, span(`${on}T12:00`, `${on}T14:00`)), 201);
    expect(refusal(await s.block(s.host, listing, at(on))).details['unavailable']).toEqual([
      { listing_id: listing.id, start_at: `${on}T14:00:00`, end_at: `${after}T12:00:00` },
    ]);
  });

  it('today is the listing’s own day', async () => {
    const [west, east] = [
      await s.listing({ timezone: 'America/New_York' }),
      await s.listing({ timezone: 'Europe/Paris' }),
    ];
    stopClock('2027-03-14T03:30:00.000Z'); // 22:30 on the 13th in New York, 04:30 on the 14th in Paris
    const last = nights('2027-03-13', '2027-03-14');
    expect(ok(await s.preview(s.guest, { items: [stay(west, last)] })).items[0]!.available).toBe(true);
    expect(refusal(await s.preview(s.guest, { items: [stay(east, last)] })).paths).toEqual([
      'items[0].check_in_date',
    ]);
    expect(ok(await s.days(s.guest, west)).items[0]!.date).toBe('2027-03-13');
    expect(ok(await s.days(s.guest, east)).items[0]!.date).toBe('2027-03-14');
  });
});

describe('a night that has no price', () => {
  it('is shown as not available, and neither previewed, held nor booked by anyone', async () => {
    const listing = await s.listing({ full_rate: 0, prices_by_week: { '5': 900_000 } });
    // A Friday and the Saturday after it.
    const dates = { start_date: '2027-02-05', end_date: '2027-02-06' };
    const { items } = ok(await s.days(s.guest, listing, dates));
    expect(items.map(({ available, price }) => [available, price])).toEqual([
      [true, 900_000],
      [false, 0],
    ]);
    const saturday = { check_in_date: '2027-02-06', check_out_date: '2027-02-07' };
    const asked = { items: [stay(listing, saturday)] };
    const partner = await s.partner();
    const guest_info = { full_name: 'An', phone: '+84901234567', email: 'an@example.com' };
    const refused = [
      await s.preview(s.guest, asked),
      await s.hold(s.guest, asked),
      await s.confirm(s.guest, { ...asked, payment_method: 'CASH' }),
    ];
    for (const answer of refused)
      expect(refusal(answer)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['items[0].listing_id'] });
    const external = { listing_id: listing.id, ...saturday, nights: 1, guest_number: 2, guest_info };
    expect(refusal(await s.bookOut(partner, { ...external, payment_method: 'CASH' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['listing_id'],
    });
    const friday = { check_in_date: '2027-02-05', check_out_date: '2027-02-06' };
    ok(await s.preview(s.guest, { items: [stay(listing, friday)] }));
  });
});
