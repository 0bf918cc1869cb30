import { describe, expect, it } from 'vitest';
import type {
  BulkBlocksAnswer,
  BulkPricesAnswer,
  BulkUndoAnswer,
} from '../../shared/domain/pricing/bulk.schema.ts';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import {
  ok,
  key,
  nights,
  refusal,
  type ReplyOf,
  stay,
  stopClock,
  type Slot,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';
import { testStart } from '../support/table.ts';

const s = useOrderScene();

type Home = { id: number };
const range = (from: string, to: string, weekdays: number[] | null = null) => ({
  ...{ date_from: from, date_to: to, weekdays },
});
const tet = range('2027-02-05', '2027-02-08');
const post = (path: string, body: object, who: Who = s.host, headers: Record<string, string> = {}) =>
  s.call('POST', path, { token: who.token!, body, headers });
const ids = (homes: Home[]) => homes.map(({ id }) => id);
const prices = async (homes: Home[], change: object, given: object = {}): Promise<BulkPricesAnswer> =>
  ok(
    (await post('/api/v1/listings/bulk-prices', {
      ...{ listing_ids: ids(homes), date_ranges: [tet], change },
      ...given,
    })) as ReplyOf<BulkPricesAnswer>,
  );
const blocks = async (homes: Home[], change: object, given: object = {}): Promise<BulkBlocksAnswer> =>
  ok(
    (await post('/api/v1/listings/bulk-blocks', {
      ...{ listing_ids: ids(homes), date_ranges: [tet], change },
      ...given,
    })) as ReplyOf<BulkBlocksAnswer>,
  );
const undo = async (undo_id: number | null): Promise<BulkUndoAnswer> =>
  ok((await post('/api/v1/listings/bulk-undo', { undo_id })) as ReplyOf<BulkUndoAnswer>);

const days = async (home: Home, from = '2027-02-04', to = '2027-02-09') => {
  const query = { start_date: from, end_date: to };
  const path = `/api/v1/listings/${home.id}/availability`;
  return ok(await s.get<{ items: Slot[] }>(s.host, path, query)).items;
};
const rates = async (...given: Parameters<typeof days>) => (await days(...given)).map(({ price }) => price);
/** The first letters of the states of the nights: a blocked day takes the night before it too. */
const states = async (...given: Parameters<typeof days>) =>
  (await days(...given)).map(({ state }) => state[0]).join('');
const did = async (method: 'POST' | 'PATCH' | 'DELETE', at: string, body?: object) => {
  const reply = await s.call(method, at, { token: s.host.token, ...(body ? { body } : {}) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body as { id: number };
};
const rulesOf = async ({ id }: Home) =>
  ok(await s.get<Record<string, unknown>[]>(s.host, `/api/v1/listing-pricing-rules/listings/${id}`));
const addRule = ({ id }: Home, given: object) =>
  did('POST', `/api/v1/listing-pricing-rules/listings/${id}`, {
    ...{ date_type: 'ALWAYS', charge_unit: 'PER_NIGHT', stay_type: 'OVERNIGHT', price: 700 },
    ...given,
  });
const million = 1_000_000;
const home = (given: object = {}) => s.listing({ full_rate: million, prices_by_week: {}, ...given });

describe('POST /listings/bulk-prices', () => {
  it('sets a price on dates and weekdays, and says what it was and is', async () => {
    const [one, other] = [await home(), await home({ full_rate: 500 })];
    const answer = await prices(
      [one, other],
      { price: 900 },
      { date_ranges: [range('2027-02-04', '2027-02-09', [5, 6])] },
    );
    const weekend = { date_from: '2027-02-05', date_to: '2027-02-06', weekdays: null, after: 900 };
    expect(answer).toEqual({
      dry_run: false,
      undo_id: expect.any(Number) as number,
      undo_until: '2027-01-16T03:00:00.000Z',
      items: [
        { listing_id: one.id, currency: 'VND', ranges: [{ ...weekend, before: million }], error: null },
        { listing_id: other.id, currency: 'VND', ranges: [{ ...weekend, before: 500 }], error: null },
      ],
    });
    expect(await rates(one)).toEqual([million, 900, 900, million, million, million]);
    expect(await rates(other)).toEqual([500, 900, 900, 500, 500, 500]);
  });

  it('raises each night from its own price, rounded half-up, with few rules', async () => {
    const one = await home({ full_rate: 1005, prices_by_week: { 5: 2000, 6: 3001 } });
    const { items } = await prices(
      [one],
      { percent: 10 },
      { date_ranges: [range('2027-02-01', '2027-12-31')] },
    );
    expect(items[0]?.ranges).toEqual([
      { ...range('2027-02-01', '2027-12-30', [0, 1, 2, 3, 4]), before: 1005, after: 1106 },
      { ...range('2027-02-05', '2027-12-31', [5]), before: 2000, after: 2200 },
      { ...range('2027-02-06', '2027-12-25', [6]), before: 3001, after: 3301 },
    ]);
    expect(await rulesOf(one)).toHaveLength(3);
    expect(await rates(one)).toEqual([1106, 2200, 3301, 1106, 1106, 1106]);
  });

  it('is stronger than every rule of these nights, and leaves other nights and day use alone', async () => {
    const one = await home();
    await addRule(one, { priority: 7 });
    await addRule(one, { date_type: 'SPECIFIC_DATE', date_from: '2027-02-06', price: 800, priority: 9 });
    await addRule(one, { stay_type: 'DAY', price: 55, priority: 99 });
    await prices([one], { price: 900 });
    expect(await rates(one)).toEqual([700, 900, 900, 900, 900, 700]);
    expect((await rulesOf(one)).filter(({ price }) => price === 900)).toMatchObject([
      { priority: 10, stay_type: 'OVERNIGHT', date_type: 'DATE_RANGE', weekdays: null },
    ]);
  });

  it('replaces what earlier bulk changes have set, night by night', async () => {
    const one = await home();
    await prices([one], { price: 900 });
    const { items } = await prices(
      [one],
      { percent: 100 },
      { date_ranges: [range('2027-02-07', '2027-02-09')] },
    );
    expect(items[0]?.ranges).toEqual([
      { ...range('2027-02-07', '2027-02-08'), before: 900, after: 1800 },
      { ...range('2027-02-09', '2027-02-09'), before: million, after: 2 * million },
    ]);
    expect(await rates(one)).toEqual([million, 900, 900, 1800, 1800, 2 * million]);
    expect(await rulesOf(one)).toHaveLength(3);
  });

  it('keeps a later rule of the same priority above the nights that it does not name', async () => {
    const one = await home();
    await prices([one], { price: 900 });
    const [made] = await rulesOf(one);
    await addRule(one, {
      date_type: 'DATE_RANGE',
      ...nightsOf('2027-02-06', '2027-02-06'),
      priority: made?.['priority'],
      price: 333,
    });
    await prices([one], { price: 950 }, { date_ranges: [range('2027-02-08', '2027-02-08')] });
    expect(await rates(one)).toEqual([million, 900, 333, 900, 950, million]);
  });

  it('answers a dry run as the change itself would be answered, and writes nothing', async () => {
    const one = await home();
    const dry = await prices([one], { percent: -10 }, { dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, undo_id: null, undo_until: null });
    expect(await rulesOf(one)).toEqual([]);
    expect((await prices([one], { percent: -10 })).items).toEqual(dry.items);
  });

  it('refuses one listing and does the others', async () => {
    const [dollars, one, free] = [
      await home({ currency: 'USD' }),
      await home(),
      await home({ full_rate: 0, state: 'DRAFT' }),
    ];
    const half = await prices([one, dollars], { price: 900.5 });
    expect(half.items.map(({ error }) => error?.code)).toEqual(['VALIDATION_ERROR', undefined]);
    expect(await rates(one)).not.toContain(900.5);
    expect(await rates(dollars)).toContain(900.5);
    const { items } = await prices([free, one], { percent: 10 });
    expect(items).toMatchObject([
      { ranges: [], error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'change.percent' }] } } },
      { error: null },
    ]);
    const none = await prices([free], { percent: 10 });
    expect([none.undo_id, none.undo_until]).toEqual([null, null]);
  });

  it('leaves out dates that have passed where the listing is', async () => {
    const [here, west] = [await home(), await home({ timezone: 'America/Los_Angeles' })];
    const { items } = await prices(
      [here, west],
      { price: 9 },
      { date_ranges: [range('2027-01-13', '2027-01-15')] },
    );
    expect(items.map(({ ranges }) => ranges[0]?.date_from)).toEqual(['2027-01-15', '2027-01-14']);
    const { undo_id } = await prices(
      [here],
      { price: 9 },
      { date_ranges: [range('2027-01-13', '2027-01-14')] },
    );
    expect(undo_id).toBeNull();
  });

  it('answers a repeated request as before, and raises a price once', async () => {
    const one = await home();
    const body = { listing_ids: [one.id], date_ranges: [tet], change: { percent: 10 } };
    const first = await post('/api/v1/listings/bulk-prices', body, s.host, key('tet'));
    const again = await post('/api/v1/listings/bulk-prices', body, s.host, key('tet'));
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await rates(one)).toEqual([million, ...Array<number>(4).fill(1.1 * million), million]);
  });

  it('emits an event for the index of search, and writes the change log', async () => {
    const one = await home();
    await prices([one], { price: 900 });
    const events = await s.deps.table.queryAll(EventEntity, { pk: `LISTING#${one.id}`, prefix: 'EVENT#' });
    expect(events).toMatchObject([{ event_type: 'listing.updated', data: { changed: ['pricing_rules'] } }]);
    const { items } = ok(await s.get<{ items: object[] }>(s.host, `/api/v1/listings/${one.id}/changes`));
    expect(items).toMatchObject([{ changes: [{ field: 'pricing_rules', was: null, now: { price: 900 } }] }]);
  });

  it.each([
    ['listing_ids', { listing_ids: [] }],
    ['listing_ids', { listing_ids: [1, 1] }],
    ['listing_ids', { listing_ids: Array.from({ length: 101 }, (_, at) => at + 1) }],
    ['date_ranges', { date_ranges: [] }],
    ['date_ranges', { date_ranges: [range('2027-02-05', '2027-02-05', [0])] }],
    ['date_ranges', { date_ranges: [range('2027-02-05', '2028-03-11')] }],
    ['date_ranges[0].date_to', { date_ranges: [range('2027-02-05', '2027-02-04')] }],
    ['date_ranges[0].date_to', { date_ranges: [range('2027-02-05', '2029-04-16', [1])] }],
    ['date_ranges[0].weekdays[0]', { date_ranges: [range('2027-02-05', '2027-02-06', [7])] }],
    ['change', { change: { price: 0 } }],
    ['change', { change: { percent: -100 } }],
    ['change', { change: { price: 1, percent: 1 } }],
  ])('refuses a wrong %s', async (path, given) => {
    const body = { listing_ids: [1], date_ranges: [tet], change: { price: 1 }, ...given };
    const { code, paths } = refusal(await post('/api/v1/listings/bulk-prices', body));
    expect(code).toBe('VALIDATION_ERROR');
    expect(paths.join()).toContain(path);
  });

  it('takes 400 dates', async () => {
    const one = await home();
    const { items } = await prices([one], { price: 9 }, { date_ranges: [range('2027-02-05', '2028-03-10')] });
    expect(items[0]?.ranges).toMatchObject([{ date_to: '2028-03-10' }]);
  });

  it('is for listings of the acting team alone, and for OWNER and MANAGER', async () => {
    const [one, theirs] = [await home(), await home({ team_id: s.b.team_id })];
    const body = { listing_ids: [one.id, theirs.id], date_ranges: [tet], change: { price: 9 } };
    expect(refusal(await post('/api/v1/listings/bulk-prices', body)).code).toBe('LISTING_NOT_FOUND');
    expect(await rates(one)).not.toContain(9);
    expect(
      refusal(await post('/api/v1/listings/bulk-prices', { ...body, listing_ids: [one.id] }, s.staff)).code,
    ).toBe('FORBIDDEN');
    expect(
      refusal(await post('/api/v1/listings/bulk-prices', { ...body, listing_ids: [one.id] }, s.guest)).code,
    ).toBe('FORBIDDEN');
  });
});

const nightsOf = (date_from: string, date_to: string) => ({ date_from, date_to });

describe('POST /listings/bulk-blocks', () => {
  const blocked = { state: 'BLOCKED', note: 'Tết' };

  it('blocks nights, of dates that are blocked already the rest', async () => {
    const [one, other] = [await home(), await home()];
    await did('POST', `/api/v1/listing-availability/listings/${other.id}/blocks`, {
      block_date: '2027-02-06',
    });
    const { items } = await blocks([one, other], blocked);
    expect(items).toMatchObject([
      { error: null, ranges: [{ ...tet, before: 'AVAILABLE', after: 'BLOCKED' }] },
      {
        error: null,
        ranges: [
          { date_from: '2027-02-05', date_to: '2027-02-08', before: 'AVAILABLE', after: 'BLOCKED' },
          { date_from: '2027-02-06', date_to: '2027-02-06', before: 'BLOCKED', after: 'BLOCKED' },
        ],
      },
    ]);
    for (const each of [one, other]) expect(await states(each)).toBe('ABBBBA');
    expect((await blocks([one], blocked)).undo_id).toBeNull();
  });

  it('refuses a listing with a stay in these days, whole, and blocks the others', async () => {
    const [sold, one] = [await home(), await home()];
    const items = [stay(sold, nights('2027-02-08', '2027-02-09'))];
    ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    const answer = await blocks([sold, one], blocked);
    expect(answer.items).toMatchObject([
      {
        ranges: [],
        error: {
          code: 'LISTING_NOT_AVAILABLE',
          details: { unavailable: [{ listing_id: sold.id, start_at: '2027-02-08T14:00:00' }] },
        },
      },
      { error: null },
    ]);
    expect(await states(sold)).toBe('AAAABA');
    expect((await days(sold))[1]?.available).toBe(true);
  });

  it('lifts a part of a block, keeps the rest of it with its note, and no stay', async () => {
    const [one, sold] = [await home(), await home()];
    const at = { start_at: '2027-02-04T10:00:00', end_at: '2027-02-09T18:00:00', note: 'Painting' };
    await did('POST', `/api/v1/listing-availability/listings/${one.id}/blocks`, at);
    ok(
      await s.confirm(s.guest, {
        items: [stay(sold, nights('2027-02-06', '2027-02-07'))],
        payment_method: 'CASH',
      }),
      201,
    );
    const free = { date_ranges: [range('2027-02-06', '2027-02-07')] };
    const { items } = await blocks([one, sold], { state: 'AVAILABLE' }, free);
    expect(items).toMatchObject([
      { ranges: [{ ...range('2027-02-06', '2027-02-07'), before: 'BLOCKED', after: 'AVAILABLE' }] },
      {
        ranges: [
          { date_from: '2027-02-06', date_to: '2027-02-06', before: 'BOOKED', after: 'BOOKED' },
          { date_from: '2027-02-07', date_to: '2027-02-07', before: 'AVAILABLE', after: 'AVAILABLE' },
        ],
      },
    ]);
    const path = `/api/v1/listing-availability/listings/${one.id}`;
    const query = { start_date: '2027-02-04', end_date: '2027-02-10' };
    const left = ok(
      await s.get<{ state: string; note: string; start_at: string; end_at: string }[]>(s.host, path, query),
    );
    expect(left.filter(({ state }) => state === 'BLOCKED')).toMatchObject([
      { start_at: '2027-02-04T10:00:00', end_at: '2027-02-06T14:00:00', note: 'Painting' },
      { start_at: '2027-02-08T12:00:00', end_at: '2027-02-09T18:00:00', note: 'Painting' },
    ]);
  });

  it.each([
    ['of nights', {}, ['05T14 06T12', '07T14 09T12'], { date_ranges: [range('2027-02-05', '2027-02-08')] }],
    [
      'of a listing by the hour, which has the days too',
      { allow_hourly_booking: true, price_per_hour: 100 },
      ['05T00 06T12', '07T00 09T12'],
      { date_ranges: [range('2027-02-05', '2027-02-08')] },
    ],
    ['of whole days, as blocks were before', {}, ['05T00 06T00', '07T00 09T00'], undefined],
  ])('lifts a date of a block %s', async (_, given, left, dates) => {
    const one = await home(given);
    if (dates) await blocks([one], blocked, dates);
    else
      await did('POST', `/api/v1/listing-availability/listings/${one.id}/blocks`, {
        start_at: '2027-02-05T00:00:00',
        end_at: '2027-02-09T00:00:00',
      });
    const free = { date_ranges: [range('2027-02-06', '2027-02-06')] };
    const { undo_id } = await blocks([one], { state: 'AVAILABLE' }, free);
    const entries = async () => {
      const path = `/api/v1/listing-availability/listings/${one.id}`;
      const query = { start_date: '2027-02-01', end_date: '2027-02-12' };
      const found = ok(await s.get<{ start_at: string; end_at: string }[]>(s.host, path, query));
      return found.map(({ start_at, end_at }) => `${start_at.slice(8, 13)} ${end_at.slice(8, 13)}`);
    };
    expect(await entries()).toEqual(left);
    expect((await undo(undo_id)).items).toMatchObject([{ kept: [], error: null }]);
    expect(await entries()).toHaveLength(3);
    expect(
      (await blocks([one], blocked, { date_ranges: [range('2027-02-05', '2027-02-08')] })).undo_id,
    ).toBeNull();
  });

  it('blocks every weekend of 400 days in one transaction, and says where the days are too many stretches', async () => {
    const one = await home();
    const year = (weekdays: number[]) => ({ date_ranges: [range('2027-02-01', '2028-03-06', weekdays)] });
    expect((await blocks([one], blocked, year([5, 6]))).items).toMatchObject([{ error: null }]);
    const { items } = await blocks([one], blocked, year([1, 3]));
    expect(items[0]?.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'date_ranges' }] },
    });
    expect(await states(one)).toBe('ABBAAA');
  });

  it('announces the time once, and writes the change log', async () => {
    const one = await home();
    await blocks([one], blocked, { date_ranges: [range('2027-02-05', '2027-02-12', [5])] });
    const events = await s.deps.table.queryAll(EventEntity, { pk: `LISTING#${one.id}`, prefix: 'EVENT#' });
    expect(events).toMatchObject([
      {
        event_type: 'availability.changed',
        data: { start_at: '2027-02-05T14:00:00', end_at: '2027-02-13T12:00:00' },
      },
    ]);
    const { items } = ok(await s.get<{ items: object[] }>(s.host, `/api/v1/listings/${one.id}/changes`));
    expect(items).toMatchObject([
      {
        changes: [
          { field: 'blocks', was: null, now: { note: 'Tết' } },
          { field: 'blocks', was: null },
        ],
      },
    ]);
  });

  it('is for STAFF too, and for listings of the acting team alone', async () => {
    const [one, theirs] = [await home(), await home({ team_id: s.b.team_id })];
    const body = { listing_ids: [one.id, theirs.id], date_ranges: [tet], change: blocked };
    expect(refusal(await post('/api/v1/listings/bulk-blocks', body, s.staff)).code).toBe('LISTING_NOT_FOUND');
    expect(await states(one)).toBe('AAAAAA');
    expect(
      (await post('/api/v1/listings/bulk-blocks', { ...body, listing_ids: [one.id] }, s.staff)).status,
    ).toBe(200);
  });
});

describe('POST /listings/bulk-undo', () => {
  it('gives the nights their prices back, those of an earlier bulk change too', async () => {
    const one = await home();
    const first = await prices([one], { price: 900 });
    const second = await prices([one], { percent: 100 });
    expect(await undo(second.undo_id)).toMatchObject({
      is_done: true,
      items: [{ prices: [{ ...tet, before: 1800, after: 900 }], kept: [], error: null }],
    });
    expect(await rates(one)).toEqual([million, 900, 900, 900, 900, million]);
    await undo(first.undo_id);
    expect(await rulesOf(one)).toEqual([]);
  });

  it('leaves nights alone that another bulk change or a host has priced since, and names them', async () => {
    const one = await home();
    const first = await prices([one], { price: 900 });
    await prices([one], { price: 900 }, { date_ranges: [range('2027-02-08', '2027-02-08')] });
    expect((await undo(first.undo_id)).items).toMatchObject([
      { prices: [range('2027-02-05', '2027-02-07')], kept: [range('2027-02-08', '2027-02-08')] },
    ]);
    expect(await rates(one)).toEqual([million, million, million, million, 900, million]);
    const third = await prices([one], { price: 600 }, { date_ranges: [range('2027-02-05', '2027-02-05')] });
    const made = (await rulesOf(one)).find(({ price }) => price === 600);
    await did('PATCH', `/api/v1/listing-pricing-rules/${String(made?.['id'])}`, { price: 650 });
    expect((await undo(third.undo_id)).items).toMatchObject([
      { prices: [], kept: [range('2027-02-05', '2027-02-05')] },
    ]);
    expect((await rates(one))[1]).toBe(650);
  });

  it('lifts the blocks that are as they were made, and no other', async () => {
    const [one, other] = [await home(), await home()];
    const { undo_id } = await blocks(
      [one, other],
      { state: 'BLOCKED' },
      { date_ranges: [range('2027-02-05', '2027-02-08', [5, 1])] },
    );
    await blocks([other], { state: 'AVAILABLE' }, { date_ranges: [range('2027-02-05', '2027-02-05')] });
    await blocks([other], { state: 'BLOCKED' }, { date_ranges: [range('2027-02-05', '2027-02-05')] });
    const { items } = await undo(undo_id);
    const itemOf = ({ id }: Home) => items.find(({ listing_id }) => listing_id === id);
    expect(itemOf(one)).toMatchObject({ kept: [], error: null });
    expect(itemOf(other)).toMatchObject({ kept: [range('2027-02-05', '2027-02-05')] });
    expect([await states(one), await states(other)]).toEqual(['AAAAAA', 'ABAAAA']);
  });

  it('blocks again what it freed, except what was sold since', async () => {
    const one = await home();
    await blocks(
      [one],
      { state: 'BLOCKED', note: 'Painting' },
      { date_ranges: [range('2027-02-04', '2027-02-09')] },
    );
    const { undo_id } = await blocks([one], { state: 'AVAILABLE' });
    expect(await states(one)).toBe('BAAAAB');
    ok(
      await s.confirm(s.guest, {
        items: [stay(one, nights('2027-02-06', '2027-02-07'))],
        payment_method: 'CASH',
      }),
      201,
    );
    const { items } = await undo(undo_id);
    expect(items).toMatchObject([{ kept: [range('2027-02-06', '2027-02-06')] }]);
    const nightly = (await days(one)).map(({ state }) => state);
    expect(nightly).toEqual(['BLOCKED', 'BLOCKED', 'BOOKED', 'BLOCKED', 'BLOCKED', 'BLOCKED']);
  });

  it('is done once, within 24 hours, by the team', async () => {
    const one = await home();
    const { undo_id } = await prices([one], { price: 900 });
    expect(refusal(await post('/api/v1/listings/bulk-undo', { undo_id }, s.otherHost)).code).toBe(
      'NOT_FOUND',
    );
    expect(refusal(await post('/api/v1/listings/bulk-undo', { undo_id }, s.staff)).code).toBe('FORBIDDEN');
    expect(refusal(await post('/api/v1/listings/bulk-undo', { undo_id: 5 })).code).toBe('NOT_FOUND');
    await undo(undo_id);
    expect(refusal(await post('/api/v1/listings/bulk-undo', { undo_id })).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    const late = await prices([one], { price: 900 });
    stopClock(new Date(Date.parse(testStart) + 86_400_000).toISOString());
    Object.assign(s, await s.people());
    expect(refusal(await post('/api/v1/listings/bulk-undo', { undo_id: late.undo_id })).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    expect((await rates(one))[1]).toBe(900);
  });
});
