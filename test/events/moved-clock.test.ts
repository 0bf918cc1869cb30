import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typesOf } from '../../shared/subscriptions.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { movedClockScene, type MovedClockScene } from '../support/moved-clock.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A reader of the feed of events, by cursor. */
const feedReader = (s: MovedClockScene) => {
  const seen: string[] = [];
  let gaps = 0;
  let after: string | undefined;
  const poll = async (): Promise<boolean> => {
    const query = { limit: '2', ...(after === undefined ? {} : { after }) };
    const { status, text } = await s.host.webhooks.call(s.partner, 'readEvents', { query });
    if (status === 410) {
      gaps++;
      after = (JSON.parse(text) as { details: { cursor: string } }).details.cursor;
      return true;
    }
    const page = JSON.parse(text) as { items: { id: string }[]; next_cursor: string; has_more: boolean };
    seen.push(...page.items.map(({ id }) => id));
    after = page.next_cursor;
    return page.has_more;
  };
  return {
    seen,
    gaps: () => gaps,
    poll,
    toTheEnd: async () => {
      for (let polls = 0; await poll(); polls++) if (polls > 500) throw new Error('the feed does not end');
    },
  };
};

const offsets = [0, 5 * minuteMs, -5 * minuteMs, 2 * 3_600_000, dayMs, -dayMs, 31 * dayMs, -31 * dayMs];
const years = [3 * 365 * dayMs, -2 * 365 * dayMs, 3.2 * 365 * dayMs, 20 * 365 * dayMs];

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('book' as const), home: fc.nat(2), days: fc.nat(20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(), days: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('block' as const), home: fc.nat(2), days: fc.nat(20) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('hold' as const), home: fc.nat(2), days: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('break' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('publish' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('move' as const), by: fc.constantFrom(...offsets, ...years) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Plays steps, comes back to the time of the machine, and lets an hour and a half pass. */
const play = async (steps: readonly Step[]) => {
  const s = await movedClockScene();
  const { owner, host, homes } = s;
  const [eager, lazy] = [feedReader(s), feedReader(s)];
  const made: number[] = [];
  const from = (days: number) => addDays(new Date(s.clock.now()).toISOString().slice(0, 10), days + 1);
  const item = (home: number, days: number) => ({
    ...{ listing_id: homes[home]!.id, guest_number: 1 },
    ...{ check_in_date: from(days), check_out_date: from(days + 2) },
  });
  /** Before a move the eager reader has read everything, so nothing expires unread. */
  const readAll = async () => {
    await s.publish();
    await eager.toTheEnd();
  };
  const did: Record<Step['do'], (one: never) => Promise<unknown>> = {
    book: async ({ home, days }: { home: number; days: number }) => {
      const body = {
        items: [item(home, days)],
        ...{
          payment_method: 'CASH',
          guest_info: { full_name: 'Hoa', phone: '+84 912 345 670', email: 'h@example.com' },
        },
      };
      const { status, text } = await host.call(owner, 'bookForGuest', { body });
      if (status === 201)
        made.push((JSON.parse(text) as { reservations: { id: number }[] }).reservations[0]!.id);
      else expect([status, text]).toEqual([409, expect.stringContaining('LISTING_NOT_AVAILABLE')]);
    },
    cancel: async ({ at }: { at: number }) => {
      const booking_id = made[at % made.length];
      if (booking_id === undefined) return undefined;
      return host.bookings.call(owner, 'cancelBooking', { params: { booking_id } });
    },
    change: async ({ at, days }: { at: number; days: number }) => {
      const booking_id = made[at % made.length];
      const body = { check_in_date: from(days), check_out_date: from(days + 1) };
      if (booking_id === undefined) return undefined;
      return host.changes.call(owner, 'changeBooking', { params: { booking_id }, body });
    },
    block: ({ home, days }: { home: number; days: number }) =>
      host.availability.call(owner, 'blockTime', {
        params: { listing_id: homes[home]!.id },
        body: { date: from(days + 60) },
      }),
    hold: ({ home, days }: { home: number; days: number }) =>
      host.call(owner, 'createCheckout', { body: { items: [item(home, days)] } }),
    break: async () => void (s.endpoint.isDown = !s.endpoint.isDown),
    publish: s.publish,
    poll: lazy.poll,
    run: s.runSchedules,
    pass: async ({ minutes }: { minutes: number }) => s.pass(minutes),
    move: async ({ by }: { by: number }) => {
      await readAll();
      await s.moveClock(by);
    },
  };
  for (const one of steps) {
    const reply = await did[one.do](one as never);
    if ((reply as { status?: number } | undefined)?.status === 500) throw new Error(`${one.do} failed`);
  }
  await readAll();
  s.endpoint.isDown = false;
  await s.moveClock(0);
  for (let passed = 0; passed < 18; passed++) {
    s.pass(10);
    await s.runSchedules();
    await readAll();
  }
  await lazy.toTheEnd();
  return { s, eager, lazy, made };
};

/** What holds afterwards, wherever the clock was. */
const requireRight = async ({ s, eager, lazy, made }: Awaited<ReturnType<typeof play>>): Promise<void> => {
  const all = (await s.allEvents())
    .filter(({ event_type }) => typesOf('webhook').includes(event_type as never))
    .map(({ id }) => id);
  expect(eager.gaps()).toBe(0);
  expect(eager.seen.toSorted()).toEqual(all);
  const fresh = feedReader(s);
  await fresh.toTheEnd();
  for (const reader of [lazy, fresh]) {
    const ids = [...new Set(reader.seen)];
    // Without a 410 nothing is left out, and nothing comes twice.
    if (reader.gaps() === 0) expect(reader.seen).toEqual(eager.seen.slice(-ids.length));
    expect(ids).toEqual(eager.seen.filter((id) => ids.includes(id)));
    expect(ids.at(-1)).toBe(eager.seen.at(-1));
  }

  const { items } = await s.host.bookings.ok(s.owner, 'listTeamBookings', { query: { limit: '100' } });
  expect(items.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
  for (const id of made) {
    const params = { booking_id: id };
    const history = await s.host.bookings.ok(s.owner, 'listBookingHistory', { params });
    expect(history.items[0]?.event_type).toBe('booking.created');
  }
  const [feed] = await s.feeds();
  const now = s.clock.now();
  expect(Math.abs(now - Date.parse(feed!.last_synced_at ?? ''))).toBeLessThanOrEqual(20 * minuteMs);
  expect((await s.liveHolds()).length).toBe(0);
  const { items: deliveries } = await s.host.webhooks.ok(s.partner, 'listWebhookDeliveries', {
    params: { webhook_id: s.webhook_id },
    query: { limit: '100' },
  });
  expect(deliveries.filter(({ state }) => state === 'PENDING')).toEqual([]);
  expect(await s.findings()).toEqual([]);
};

describe('a laptop whose clock was moved anywhere and back', () => {
  it('delivers each event once and in order, lists everything, does what is due, and its audit finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        await requireRight(await play(steps));
      }),
      {
        numRuns: Number(process.env['MOVED_CLOCK_RUNS'] ?? 12),
        endOnFailure: true,
        ...(process.env['MOVED_CLOCK_RUNS'] === undefined ? { seed: 119 } : {}),
      },
    );
  }, 240_000);

  const days = 3;
  const ahead = { do: 'move', by: years[0]! } as const;
  const farther = { do: 'move', by: years[2]! } as const;
  const [run, publish, broken] = [{ do: 'run' }, { do: 'publish' }, { do: 'break' }] as const;
  const book = (home: number, from = days): Step => ({ do: 'book', home, days: from });
  const back = { do: 'move', by: 0 } as const;

  it.each<[string, Step[]]>([
    ['a calendar that was fetched ahead', [ahead, run, { do: 'pass', minutes: 20 }, run]],
    ['a webhook that failed ahead', [broken, ahead, book(0), publish]],
    ['a hold that was made ahead', [ahead, { do: 'hold', home: 0, days }, { do: 'hold', home: 1, days }]],
    ['a hold whose entry has expired ahead', [ahead, { do: 'hold', home: 0, days }, farther]],
    ['events that were deleted ahead', [book(0), book(1), book(2), publish, ahead, book(0), run]],
    [
      'pages that were closed ahead, the later ones not',
      [
        ahead,
        book(0),
        book(1),
        publish,
        back,
        book(0),
        book(1),
        book(2),
        publish,
        { do: 'move', by: 31 * dayMs },
      ],
    ],
    [
      'events of two times that are handled together',
      [book(0), { do: 'move', by: -5 * minuteMs }, book(1), book(2), ahead, book(0), run],
    ],
  ])('goes on after %s', async (_, steps) => {
    await requireRight(await play(steps));
  });
});
