import { describe, expect, it } from 'vitest';
import type { ChatThread, StatementRow, Team } from '@nightlatch/client';
import { createPace } from '../../../board/src/data/pace.ts';
import { readPages } from '../../../board/src/data/read-pages.ts';
import { figuresOf, monthsAround } from '../../../board/src/figures/figures.ts';
import { inboxOf } from '../../../board/src/inbox/inbox.ts';
import { pagesOf, routeOf } from '../../../board/src/parts/address.ts';
import { keyOf } from '../../../board/src/team/key-request.ts';
import { changesOf } from '../../../board/src/team/settings.ts';

describe('the addresses of the board', () => {
  it.each([
    ['', { page: 'today' }],
    ['#/', { page: 'today' }],
    ['#/bookings/12', { page: 'today', booking: 12 }],
    ['#/calendar', { page: 'calendar' }],
    ['#/calendar/bookings/12', { page: 'calendar', booking: 12 }],
    ['#/inbox/chats/12', { page: 'inbox', chat: 12 }],
    ['#/inbox/bookings/12', { page: 'inbox', booking: 12 }],
    ['#/find/chats/12', { page: 'find' }],
    ['#/chats/12', { page: 'today' }],
    ['#/teams', { page: 'today' }],
    ['#/team/bookings/99999999999999999', { page: 'today' }],
  ])('%s shows what it names', (hash, shown) => {
    expect(routeOf(hash)).toEqual(shown);
  });

  it('are those that a role may open', () => {
    expect(pagesOf('OWNER')).toContain('figures');
    for (const role of ['MANAGER', 'STAFF']) expect(pagesOf(role)).not.toContain('figures');
  });
});

describe('the pace of the board', () => {
  const start = 1_800_000_000_000;
  const headers = (remaining: number, resetInSeconds = 30, limit = 120) =>
    new Headers({
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(start / 1000 + resetInSeconds),
    });

  it('is full until half of the limit is used, slower then, and rests in the last quarter', () => {
    let now = start;
    const pace = createPace(() => now);
    const delayAt = (remaining: number, reset?: number) => {
      pace.note(headers(remaining, reset));
      return pace.delayMs();
    };
    expect(pace.delayMs()).toBe(0);
    expect([119, 60, 59, 30, 29, 0].map((left) => delayAt(left))).toEqual([0, 0, 6000, 6000, 30_000, 30_000]);
    expect(delayAt(59, 2)).toBe(2000);
    // Where the clocks differ, it never rests longer than the limit counts.
    expect(delayAt(0, 4000)).toBe(60_000);
    delayAt(0, 30);
    now = start + 30_000;
    expect(pace.delayMs()).toBe(0);
  });

  it('rests for as long as a refusal says, and reads nothing from answers without a limit', () => {
    let now = start;
    const pace = createPace(() => now);
    pace.refused(10_000);
    pace.refused(2000);
    expect(pace.delayMs()).toBe(10_000);
    now += 10_000;
    pace.note(new Headers());
    expect(pace.delayMs()).toBe(0);
  });
});

describe('the pages of a list', () => {
  const pages: Readonly<Record<string, { items: { id: number }[]; next_cursor: string | null }>> = {
    '': { items: [{ id: 5 }, { id: 4 }], next_cursor: 'b' },
    b: { items: [{ id: 4 }, { id: 3 }], next_cursor: 'c' },
    c: { items: [{ id: 2 }], next_cursor: null },
  };
  const read = async (count: number) => {
    const asked: (string | undefined)[] = [];
    const readPage = (cursor?: string) => {
      asked.push(cursor);
      return Promise.resolve(pages[cursor ?? '']!);
    };
    const { items, next_cursor } = await readPages({ readPage, idOf: ({ id }: { id: number }) => id, count });
    return { ids: items.map(({ id }) => id), next_cursor, asked };
  };

  it('are joined, each item once, and end where the list does', async () => {
    expect(await read(1)).toEqual({ ids: [5, 4], next_cursor: 'b', asked: [undefined] });
    expect(await read(2)).toEqual({ ids: [5, 4, 3], next_cursor: 'c', asked: [undefined, 'b'] });
    expect(await read(9)).toEqual({ ids: [5, 4, 3, 2], next_cursor: null, asked: [undefined, 'b', 'c'] });
  });
});

describe('the inbox', () => {
  const thread = (id: number, sender_type: string) => ({ id, last_message: { sender_type } }) as ChatThread;

  it('has what is unread first, each thread once, and what the service alone has written where it is asked for', () => {
    const threads = [thread(1, 'SYSTEM'), thread(2, 'HOST'), thread(3, 'GUEST'), thread(4, 'GUEST')];
    const unread = [thread(4, 'GUEST'), thread(9, 'PARTNER')];
    const shown = (isAll: boolean) =>
      inboxOf(threads, unread, isAll).map(({ thread: { id }, isUnread }) => `${id}${isUnread ? '!' : ''}`);
    expect(shown(false)).toEqual(['4!', '9!', '2', '3']);
    expect(shown(true)).toEqual(['4!', '9!', '1', '2', '3']);
  });
});

describe('the figures of a month', () => {
  const row = (
    listing_id: number,
    currency: string,
    sold: number,
    revenue: number,
    available: number | null,
  ) =>
    ({
      ...{ listing_id, listing_name: `Home ${listing_id}`, currency, nights_sold: sold },
      ...{ room_revenue: revenue, nights_available: available },
    }) as StatementRow;

  it('are of each currency apart, with what is not open now in the revenue alone', () => {
    const [usd, vnd] = figuresOf([
      row(1, 'VND', 10, 1000, 30),
      row(2, 'VND', 5, 3000, 30),
      row(3, 'VND', 5, 500, null),
      row(4, 'USD', 0, 0, null),
    ]);
    expect(usd).toMatchObject({
      currency: 'USD',
      total: { occupancy: null, room_revenue: 0, adr: null, revpar: null, nights_sold: 0 },
    });
    expect(vnd?.total).toEqual({
      ...{ occupancy: 0.25, room_revenue: 4500, adr: 225, nights_sold: 20 },
      revpar: 4000 / 60,
    });
    expect(vnd?.homes.map(({ listing_id }) => listing_id)).toEqual([2, 1, 3]);
  });

  it('can be chosen around this month', () => {
    expect(monthsAround('2026-12', -2, 1)).toEqual(['2027-01', '2026-12', '2026-11', '2026-10']);
    expect(monthsAround('2026-01', -1, 0)).toEqual(['2026-01', '2025-12']);
  });
});

describe('what is asked of the team', () => {
  it('is a key with what was chosen, valid through its last day of this device', () => {
    const fields = {
      ...{ name: ' Channel manager ', scopes: 'webhooks read nonsense', until: '2027-06-30' },
      ...{ addresses: '203.0.113.0/24, 198.51.100.7\n2001:db8::/32', guest_links: 'no' },
    };
    expect(keyOf(fields, 'Asia/Ho_Chi_Minh')).toEqual({
      name: 'Channel manager',
      scopes: ['read', 'webhooks'],
      expires_at: '2027-06-30T17:00:00Z',
      allow_ip: ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32'],
      guest_links: false,
    });
    expect(keyOf({ name: 'A', scopes: 'read', guest_links: 'yes' })).toMatchObject({
      ...{ expires_at: null, allow_ip: [], guest_links: true },
    });
    const ofPage = {
      kind: 'PUBLISHABLE',
      name: 'Site',
      scopes: 'read',
      origins: 'https://a.example,\nhttps://b.example',
    };
    expect(keyOf(ofPage)).toEqual({
      ...{ kind: 'PUBLISHABLE', name: 'Site', expires_at: null },
      allowed_origins: ['https://a.example', 'https://b.example'],
    });
  });

  it('is of the settings what differs; what is empty is taken out', () => {
    const team = { name: 'Hoa', language: 'vi', contact_name: null, contact_phone: '1' } as Team;
    expect(changesOf(team, { name: 'Hoa ', contact_name: '', contact_phone: ' ', language: 'en' })).toEqual({
      ...{ contact_phone: null, language: 'en' },
    });
    expect(changesOf(team, {})).toEqual({});
  });
});
