import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../shared/platform/auth.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { feedOf } from '../support/calendars.ts';
import { apiUrl } from '../support/import-scene.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';
import { readTeamCalendar, readToday } from '../../shared/domain/front-desk/index.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => {
  s = await platformScene();
});

const stay = sold('a', '2027-02-04', '2027-02-07', 'Reserved - Maria');
const summaries = async () => (await s.imported()).items.map(({ summary }) => summary);

describe('stays of platforms', () => {
  it('are listed by arrival with the platform’s text, its label and what keeps their time', async () => {
    s.publish(sold('b', '2027-03-01', '2027-03-02', 'Anna\\, Minh\\nHN'), stay);
    const feed = await s.followAs({ label: 'Airbnb' });
    const { items, ...page } = await s.imported();
    expect(page).toMatchObject({ total: 2, total_is_exact: true, next_cursor: null });
    expect(items[0]).toEqual({
      ...{
        availability_id: expect.any(Number) as number,
        listing_id: s.listing.id,
        feed_id: feed.id,
        label: 'Airbnb',
      },
      ...{ summary: 'Reserved - Maria', check_in_date: '2027-02-04', check_out_date: '2027-02-07' },
      ...{ start_at: '2027-02-04T14:00:00', end_at: '2027-02-07T12:00:00' },
      timezone: s.listing.timezone,
    });
    expect(items[1]!.summary).toBe('Anna, Minh HN');
    expect((await s.imported({ from: '2027-02-05', to: '2027-03-01' })).items).toEqual([items[1]]);
    expect((await s.imported({ from: '2027-02-01', to: '2027-02-28', limit: '1' })).items).toEqual([
      items[0],
    ]);
    expect(
      await s.desk.refusal(s.host, 'listImportedStays', { query: { from: '2027-02-05', to: '2027-02-04' } }),
    ).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['to'] });
  });

  it('go on at the cursor', async () => {
    s.publish(stay, sold('b', '2027-03-01', '2027-03-02'));
    await s.follow();
    const query = { from: '2027-02-01', to: '2027-03-31', limit: '1' };
    const first = await s.imported(query);
    const second = await s.imported({ ...query, cursor: first.next_cursor! });
    expect([...first.items, ...second.items].map(({ check_in_date: date }) => date)).toEqual([
      '2027-02-04',
      '2027-03-01',
    ]);
  });

  it.each<[string, string[]]>([
    ['airbnb', ['Reserved', 'Reserved']],
    ['booking-com', []],
    ['vrbo', ['Reserved - Maria']],
    ['expedia', ['Expedia reservation', 'Expedia reservation']],
  ])('are found among blocks by the text of %s', async (platform, expected) => {
    s.remote.text = feedOf(platform);
    await s.follow();
    expect(await summaries()).toEqual(expected);
  });

  it.each([
    'Not available',
    'CLOSED - Not available',
    'Airbnb (Not available)',
    'Blocked',
    'Unavailable',
    'Busy',
    '',
  ])('are not what is called "%s"', async (text) => {
    s.publish(sold('a', '2027-02-04', '2027-02-07', text));
    await s.follow();
    expect(await summaries()).toEqual([]);
    expect(await s.blocks()).toHaveLength(1);
  });

  it('keep their id when the calendar counts otherwise, and are blocks in between', async () => {
    s.publish(stay, sold('b', '2027-03-01', '2027-03-02', 'CLOSED - Not available'));
    const { id } = await s.follow();
    const [before] = (await s.imported()).items;
    expect(
      await s.changeFeed(id, { counts_as: 'STAYS', label: 'Booking.com', commission_rate: 0.15 }),
    ).toMatchObject({
      ...{ label: 'Booking.com', counts_as: 'STAYS', commission_rate: 0.15 },
    });
    await s.sync();
    const [after, other] = (await s.imported()).items;
    expect(after).toEqual({ ...before, label: 'Booking.com' });
    expect(other!.summary).toBe('CLOSED - Not available');
    await s.changeFeed(id, { counts_as: 'BLOCKS', commission_rate: null });
    expect(await s.sync()).toMatchObject({
      counts_as: 'BLOCKS',
      commission_rate: null,
      label: 'Booking.com',
    });
    expect((await s.imported()).items).toEqual([]);
    expect(await s.blocks()).toHaveLength(2);
  });

  it('follow their text alone, and write nothing while it is the same', async () => {
    s.publish(stay);
    await s.follow();
    s.publish(sold('a', '2027-02-04', '2027-02-07', 'Reserved - Lan'));
    await s.next();
    expect(await summaries()).toEqual(['Reserved - Lan']);
    const { table, cost } = measuredTable(s.deps.table);
    s.deps.table = table;
    if (countsUnits) expect((await cost(() => s.next())).wcu).toBeLessThanOrEqual(5);
    expect(await summaries()).toEqual(['Reserved - Lan']);
  });

  it('are the settings of a calendar that is followed again, too', async () => {
    s.publish(stay);
    await s.followAs({ label: 'Airbnb', counts_as: 'BLOCKS', commission_rate: 0.03 });
    expect(await s.followAs({ counts_as: 'BY_TEXT' })).toMatchObject({
      ...{ label: 'Airbnb', counts_as: 'BY_TEXT', commission_rate: 0.03 },
    });
    expect(await summaries()).toHaveLength(1);
  });

  it('are not stays where an event of a fetch before is still kept, until it is there again', async () => {
    s.publish(stay);
    await s.follow();
    s.publish();
    await s.next();
    expect(await summaries()).toEqual(['Reserved - Maria']);
    await s.next();
    expect(await summaries()).toEqual([]);
  });

  it('are one block without a text where events overlap otherwise', async () => {
    s.publish(stay, sold('b', '2027-02-06', '2027-02-08'));
    await s.follow();
    expect(await summaries()).toEqual([]);
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-08T12']);
  });

  it('go with the calendar, and their text two days after they have ended', async () => {
    s.publish(sold('a', '2027-01-15', '2027-01-16', 'Reserved - Maria'), stay);
    const { id } = await s.follow();
    await s.next(2 * 24 * 60);
    expect(await summaries()).toHaveLength(2);
    await s.next(24 * 60);
    expect(await summaries()).toHaveLength(1);
    await s.unfollow(id);
    expect(await summaries()).toEqual([]);
    const range = { start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
    expect(JSON.stringify(await overlappingEntries(s.deps.table, s.listing.id, range))).not.toContain(
      'Maria',
    );
  });

  it('have a text of 200 characters at most, however long the platform’s is', async () => {
    s.publish(sold('a', '2027-02-04', '2027-02-07', 'x'.repeat(100_000)));
    await s.follow();
    expect(await summaries()).toEqual(['x'.repeat(200)]);
  });
});

describe('the desk', () => {
  it('has the arrivals and departures of today, by the listing’s zone', async () => {
    s.publish(sold('a', '2027-01-15', '2027-01-17', 'Lan'), sold('b', '2027-01-13', '2027-01-15', 'Maria'));
    await s.follow();
    const { imported_arrivals, imported_departures, arrivals } = await s.today();
    expect(imported_arrivals.map(({ summary }) => summary)).toEqual(['Lan']);
    expect(imported_departures.map(({ summary }) => summary)).toEqual(['Maria']);
    expect(arrivals).toEqual([]);
    // 03:00 in London is 10:00 in Hanoi; at 17:00 there it is the next day.
    s.deps.clock.advance(14 * 3_600_000);
    expect((await s.today()).imported_arrivals).toEqual([]);
  });

  it('shows them in both calendars, and guests see none of it', async () => {
    s.publish(stay);
    const feed = await s.followAs({ label: 'Airbnb' });
    const query = { from: '2027-02-01', to: '2027-02-28' };
    const { items } = await s.desk.ok(s.host, 'readTeamCalendar', { query });
    const { availability_id } = (await s.imported()).items[0]!;
    const label = { kind: 'IMPORTED', availability_id, source: 'Airbnb', summary: 'Reserved - Maria' };
    expect(items[0]!.entries).toMatchObject([label]);
    const alone = (who: Caller) =>
      s.calendars.call(who, 'readRange', {
        params: { listing_id: s.listing.id },
        query: { start_date: query.from, end_date: query.to },
      });
    expect(JSON.parse((await alone(s.host)).text)).toMatchObject([label]);
    const guest = await alone(s.asGuest.caller);
    expect(guest.text).not.toMatch(/Maria|Airbnb|summary/);
    const exported = await s.fetched(feed.export_url.replace('https://api', apiUrl));
    expect(exported.body).not.toMatch(/Maria|Airbnb/);
    const { export_url } = await listFeeds(testContext(s.deps, s.host), s.listing.id, apiUrl);
    expect((await s.fetched(export_url)).body).not.toMatch(/Maria|Airbnb/);
  });

  it.runIf(countsUnits)('costs little more with twenty of them', async () => {
    const ctx = (deps = s.deps) => testContext(deps, s.host);
    const { table, cost } = measuredTable(s.deps.table);
    const measured = ctx({ ...s.deps, table });
    const range = { from: '2027-01-15', to: '2027-02-14', limit: 100 };
    const before = [
      await cost(() => readToday(measured)),
      await cost(() => readTeamCalendar(measured, range)),
    ];
    s.publish(
      ...Array.from({ length: 20 }, (_, at) => {
        const date = (day: number) => new Date(Date.UTC(2027, 0, 15 + day)).toISOString().slice(0, 10);
        return sold(`n${at}`, date(at), date(at + 1), 'Reserved');
      }),
    );
    await s.follow();
    const after = [
      await cost(() => readToday(measured)),
      await cost(() => readTeamCalendar(measured, range)),
    ];
    expect(after[0]!.rcu - before[0]!.rcu).toBeLessThanOrEqual(1);
    expect(after[1]!.rcu - before[1]!.rcu).toBeLessThanOrEqual(3);
    expect(after[0]!.wcu + after[1]!.wcu).toBe(0);
  });
});

describe('PATCH of a followed calendar', () => {
  it('is of a listing of the team and of a calendar that it follows', async () => {
    const { id: feed_id } = await s.follow();
    const body = { label: 'Airbnb' };
    const refusal = (who: Caller, params: object) =>
      s.calendarFeeds.refusal(who, 'changeFeed', { params: params as Record<string, number>, body });
    const here = { listing_id: s.listing.id, feed_id };
    expect(await refusal(s.host, { ...here, feed_id: 1 })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(s.host, { ...here, listing_id: 1 })).toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect(await s.calendarFeeds.refusal(s.host, 'changeFeed', { params: here, body: {} })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await s.unfollow(feed_id);
    expect(await refusal(s.host, here)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('overtakes a run that reads the calendar', async () => {
    s.publish(stay);
    const { id } = await s.follow();
    s.publish(stay, sold('b', '2027-03-01', '2027-03-02'));
    s.remote.meanwhile = async () => {
      s.remote.meanwhile = undefined;
      await s.changeFeed(id, { label: 'Airbnb' });
    };
    await s.next();
    expect((await s.imported()).items.map(({ label }) => label)).toEqual(['calendars.example.com']);
    await s.sync();
    expect((await s.imported()).items.map(({ label }) => label)).toEqual(['Airbnb', 'Airbnb']);
  });
});
