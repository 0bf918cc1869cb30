import { beforeEach, describe, expect, it } from 'vitest';
import { feeds } from '../../functions/feeds/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { FeedRevisionEntity } from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { rotateToken } from '../../shared/domain/ical/rotate-token.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { freshId, testUser } from '../support/table.ts';

let s: Awaited<ReturnType<typeof eventScene>>;
beforeEach(async () => {
  s = await eventScene();
});

interface Asked {
  listing_id?: number;
  token?: string | undefined;
  headers?: Record<string, string>;
  caller?: Caller;
}

/** A request to the feed group as the gateway passes it on. */
const call = async (resource: string, { listing_id = s.listing.id, token, headers = {}, caller }: Asked) => {
  const path = resource.replace('{listing_id}', String(listing_id));
  const event = {
    httpMethod: 'GET',
    resource,
    path,
    headers: { Host: 'localhost:4000', ...headers },
    pathParameters: { listing_id: String(listing_id) },
    queryStringParameters: token === undefined ? null : { token, t: '1' },
    requestContext: {
      requestId: 'r',
      path: `/prod${path}`,
      domainName: 'api.example.com',
      authorizer: caller && { caller: JSON.stringify(caller) },
    },
    body: null,
  };
  return feeds(() => s.deps)(event as never, {} as never);
};

const exported = (asked: Asked) => call('/api/v1/listings/{listing_id}/calendar.ics', asked);

const tokenFor = async (listing_id = s.listing.id): Promise<string> => {
  const { export_url } = await listFeeds(s.asOwner, listing_id, 'https://api.example.com');
  return new URL(export_url).searchParams.get('token') ?? '';
};

/** The events of a calendar, read line by line as RFC 5545 has it. */
const eventsIn = (text: string): Record<string, string>[] => {
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const lines = text.replaceAll('\r\n ', '').trimEnd().split('\r\n');
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR']);
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)];
    if (line === 'BEGIN:VEVENT') events.push({});
    else if (events.length > 0 && name !== 'END') events.at(-1)![name] = value;
  }
  return events;
};

const calendar = async (listing_id = s.listing.id) => {
  const answer = await exported({ listing_id, token: await tokenFor(listing_id) });
  expect(answer.statusCode).toBe(200);
  return eventsIn(answer.body);
};

const stay = (check_in_date: string, check_out_date: string, more: object = {}) =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date, check_out_date, ...more });

describe.each(['UTC', 'Asia/Ho_Chi_Minh', 'America/New_York'])(
  'the export of a calendar, machine in %s',
  (zone) => {
    beforeEach(() => {
      process.env['TZ'] = zone;
      expect(new Date(0).getHours()).toBe({ UTC: 0, 'Asia/Ho_Chi_Minh': 8, 'America/New_York': 19 }[zone]);
      return () => Reflect.deleteProperty(process.env, 'TZ');
    });

    it('shows a stay at once, by its nights, without its guest', async () => {
      await stay('2027-01-30', '2027-02-02');
      const events = await calendar();
      expect(events).toMatchObject([
        {
          'DTSTART;VALUE=DATE': '20270130',
          'DTEND;VALUE=DATE': '20270202',
          SUMMARY: 'Reserved',
          DTSTAMP: '20270115T030000Z',
          TRANSP: 'OPAQUE',
        },
      ]);
      expect(Object.keys(events[0]!).sort()).toEqual(
        ['DTEND;VALUE=DATE', 'DTSTAMP', 'DTSTART;VALUE=DATE', 'SUMMARY', 'TRANSP', 'UID'].sort(),
      );
    });

    it('takes the nights that cannot be booked before an early check-in and after a late check-out', async () => {
      const wide = { flexible_check_in_time: '11:00:00', flexible_check_out_time: '15:00:00' };
      await testListing(s.deps, { ...s.listing, ...wide });
      await stay('2027-02-04', '2027-02-05', { check_in_time: '11:59:00', check_out_time: '14:01:00' });
      expect(await calendar()).toMatchObject([
        { 'DTSTART;VALUE=DATE': '20270203', 'DTEND;VALUE=DATE': '20270206' },
      ]);
    });

    it('shows a stay within a day by its hours', async () => {
      await stay('2027-02-04', '2027-02-04');
      expect(await calendar()).toMatchObject([{ DTSTART: '20270204T020000Z', DTEND: '20270204T110000Z' }]);
    });

    it('shows blocks as not available', async () => {
      await blockTime(s.asOwner, s.listing.id, { block_date: '2027-02-28', note: 'An is coming' });
      const events = await calendar();
      expect(events).toMatchObject([
        { 'DTSTART;VALUE=DATE': '20270228', 'DTEND;VALUE=DATE': '20270301', SUMMARY: 'Not available' },
      ]);
      expect(JSON.stringify(events)).not.toContain('coming');
    });
  },
);

describe('the export of a calendar', () => {
  it('follows parent and children, and keeps siblings apart', async () => {
    const child = () => testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const [one, other] = await Promise.all([child(), child()]);
    await bookStay(s.asGuest, {
      listing_id: one.id,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-05',
    });
    await stay('2027-03-04', '2027-03-05');
    const starts = async (id: number) => (await calendar(id)).map((event) => event['DTSTART;VALUE=DATE']);
    expect(await starts(one.id)).toEqual(['20270204', '20270304']);
    expect(await starts(s.listing.id)).toEqual(['20270204', '20270304']);
    expect(await starts(other.id)).toEqual(['20270304']);
  });

  it('is by the hours of the listing that is exported, also for stays of its family', async () => {
    const child = await testListing(s.deps, {
      team_id: s.team_id,
      parent_listing_id: s.listing.id,
      standard_check_in_time: '22:00:00',
      standard_check_out_time: '08:00:00',
      flexible_check_in_time: '11:00:00',
      flexible_check_out_time: '15:00:00',
    });
    await bookStay(s.asGuest, {
      listing_id: child.id,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-05',
      check_in_time: '11:00:00',
      check_out_time: '15:00:00',
    });
    const nights = (events: Record<string, string>[]) =>
      events.map((event) => [event['DTSTART;VALUE=DATE'], event['DTEND;VALUE=DATE']]);
    expect(nights(await calendar())).toEqual([['20270203', '20270206']]);
    const own = await calendar(child.id);
    expect(nights(own.slice(0, 1))).toEqual([['20270204', '20270205']]);
    expect(own.slice(1)).toMatchObject([
      { DTSTART: '20270204T040000Z', DTEND: '20270204T150000Z' },
      { DTSTART: '20270205T010000Z', DTEND: '20270205T080000Z' },
    ]);
    const [uid = ''] = own.map((event) => event['UID']);
    expect(own.map((event) => event['UID'])).toEqual([
      uid,
      uid.replace('@', '-before@'),
      uid.replace('@', '-after@'),
    ]);
  });

  it('has a component also where nothing is taken', async () => {
    const { body } = await exported({ token: await tokenFor() });
    expect(eventsIn(body)).toEqual([]);
    expect(body).toMatch(/BEGIN:VTIMEZONE\r\nTZID:UTC\r\n[^]*END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/);
    await stay('2027-02-04', '2027-02-05');
    expect((await exported({ token: await tokenFor() })).body).not.toContain('VTIMEZONE');
  });

  it('shows no soft locks and no cancelled stay, and keeps the UID of one that stands', async () => {
    await createCheckout(s.asGuest, {
      items: [
        {
          listing_id: s.listing.id,
          check_in_date: '2027-05-01',
          check_out_date: '2027-05-02',
          guest_number: 1,
        },
      ],
    });
    const { booking_id } = await stay('2027-02-04', '2027-02-05');
    await stay('2027-02-05', '2027-02-06');
    const before = await calendar();
    expect(before).toHaveLength(2);
    await cancelBooking(s.asGuest, booking_id);
    expect(await calendar()).toEqual([before[1]]);
  });

  it('folds and escapes the name of the listing', async () => {
    const name = 'Biệt thự; "Mây, Gió" nhìn ra thung lũng và hồ Tuyền Lâm của Đà Lạt '.repeat(3).trim();
    s = await eventScene({ name });
    const { body } = await exported({ token: await tokenFor() });
    eventsIn(body);
    const named = body
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .find((line) => line.startsWith('X-WR-CALNAME:'));
    expect(named).toBe(`X-WR-CALNAME:${name.replaceAll(';', '\\;').replaceAll(',', '\\,')}`);
  });

  it('answers 304 to a subscriber who has it, and the new one as soon as it differs', async () => {
    const token = await tokenFor();
    const first = await exported({ token });
    expect(first.headers['Content-Type']).toBe('text/calendar; charset=utf-8');
    const known = { 'if-none-match': `W/"x", ${first.headers['ETag'] ?? ''}` };
    const again = await exported({ token, headers: known });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await stay('2027-02-04', '2027-02-05');
    const changed = await exported({ token, headers: known });
    expect(changed.statusCode).toBe(200);
    expect(eventsIn(changed.body)).toHaveLength(1);
  });

  it('is not found without its token, or for a listing that is archived', async () => {
    const token = await tokenFor();
    const other = await testListing(s.deps, { team_id: s.team_id });
    const asked: Asked[] = [
      {},
      { token: '' },
      { token: `${token.slice(0, -1)}!` },
      { listing_id: other.id, token },
      { listing_id: other.id, token: '' },
      { listing_id: freshId(), token },
    ];
    for (const request of asked) {
      const { statusCode, body } = await exported(request);
      expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
    }
    s = await eventScene({ state: 'ARCHIVED' });
    expect((await exported({ token })).statusCode).toBe(404);
  });
});

describe('the address of the export', () => {
  const path = '/api/v1/listings/{listing_id}/calendar/ical';

  it('is shown to the host, the same each time, and opens the calendar', async () => {
    const asked = () => call(path, { caller: s.owner.caller });
    const answers = await Promise.all([asked(), asked(), asked()]);
    const shown = answers.map(({ body }) => JSON.parse(body) as { items: []; export_url: string });
    expect(new Set(shown.map(({ export_url }) => export_url)).size).toBe(1);
    const { items, export_url } = shown[0]!;
    expect(items).toEqual([]);
    expect(export_url).toMatch(
      new RegExp(
        `^https://api\\.example\\.com/prod/api/v1/listings/${s.listing.id}/calendar\\.ics\\?token=[\\w-]{32}$`,
      ),
    );
    const token = new URL(export_url).searchParams.get('token') ?? '';
    expect((await exported({ token })).statusCode).toBe(200);
  });

  it('is not shown to others', async () => {
    const stranger = await testUser(s.deps);
    const { statusCode } = await call(path, { caller: stranger.caller });
    expect(statusCode).toBe(403);
    const staff = await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'STAFF' }] });
    expect((await call(path, { caller: staff.caller })).statusCode).toBe(200);
  });
});

describe('a new address of the export', () => {
  const params = () => ({ listing_id: s.listing.id });
  const rotate = () => rotateToken(s.asOwner, params().listing_id, 'https://api.example.com');
  const tokenIn = (address: string) => new URL(address).searchParams.get('token') ?? '';

  it('opens the calendar, and the old one stops at once', async () => {
    const old = await tokenFor();
    const { export_url } = await rotate();
    expect(tokenIn(export_url)).not.toBe(old);
    expect((await exported({ token: old })).statusCode).toBe(404);
    expect((await exported({ token: tokenIn(export_url) })).statusCode).toBe(200);
    expect(await tokenFor()).toBe(tokenIn(export_url));
  });

  it('is made also where there was none, and for those who manage the listing alone', async () => {
    expect((await exported({ token: tokenIn((await rotate()).export_url) })).statusCode).toBe(200);
    const { caller } = await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'STAFF' }] });
    const asStaff = rotateToken({ ...s.asOwner, caller }, params().listing_id, '');
    await expect(asStaff).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the ical worker', () => {
  const worker = () => icalWorker(() => s.deps);
  const revision = (calendar_id = s.listing.id) => s.deps.table.get(FeedRevisionEntity, { calendar_id });
  const done = { batchItemFailures: [] };

  it('counts after each change, once for those of a batch, also at once and in whatever order the events come', async () => {
    const one = await stay('2027-02-04', '2027-02-05');
    const other = await stay('2027-02-06', '2027-02-07');
    expect(await worker()(queueEvent(other.created, one.created))).toEqual(done);
    expect(await revision()).toMatchObject({ revision: 1 });
    await Promise.all([worker()(queueEvent(one.created)), worker()(queueEvent(other.created))]);
    expect(await revision()).toMatchObject({ revision: 3 });
  });

  it('counts blocks, and answers when the calendar changed last', async () => {
    await blockTime(s.asOwner, s.listing.id, { block_date: '2027-02-28' });
    s.deps.clock.set('2027-01-15T05:00:00Z');
    const [changed] = await eventsOf(s.deps.table, `LISTING#${s.listing.id}`);
    expect(await worker()(queueEvent(changed!))).toEqual(done);
    expect(await revision()).toMatchObject({ revision: 1, changed_at: '2027-01-15T05:00:00.000Z' });
    const { headers } = await exported({ token: await tokenFor() });
    expect(headers['Last-Modified']).toBe('Fri, 15 Jan 2027 05:00:00 GMT');
  });

  it('keeps one revision for parent and children', async () => {
    const child = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const { created } = await bookStay(s.asGuest, {
      listing_id: child.id,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-05',
    });
    await worker()(queueEvent(created));
    expect(await revision()).toMatchObject({ revision: 1 });
    expect(await revision(child.id)).toBeUndefined();
  });

  it('lets an event about nothing fail, alone', async () => {
    const { created } = await stay('2027-02-04', '2027-02-05');
    const poison = { ...created, id: 'evt_poison', data: { id: 17 } };
    expect(await worker()(queueEvent(poison, created))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-0' }],
    });
    expect(await revision()).toMatchObject({ revision: 1 });
  });
});
