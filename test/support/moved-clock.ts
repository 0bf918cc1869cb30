import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { recallDue, recallHolds } from '../../infra/local/table/index.ts';
import { availability } from '../../functions/availability/index.ts';
import { availabilityRoutes } from '../../functions/availability/routes.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { bookingRoutes } from '../../functions/bookings/routes.ts';
import { changes } from '../../functions/changes/index.ts';
import { changesRoutes } from '../../functions/changes/routes.ts';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { feeds } from '../../functions/feeds/index.ts';
import { feedsRoutes } from '../../functions/feeds/routes.ts';
import { pollCalendars } from '../../functions/schedules/poll-calendars/index.ts';
import { retryWebhooks } from '../../functions/schedules/retry-webhooks/index.ts';
import { webhooks } from '../../functions/webhooks/index.ts';
import { webhooksRoutes } from '../../functions/webhooks/routes.ts';
import { calendarSyncWorker } from '../../functions/workers/calendar-sync/index.ts';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import { deliveryWorker } from '../../shared/deliver-webhooks.ts';
import { auditBookings } from '../../shared/domain/audit/index.ts';
import { readRound } from '../../shared/domain/audit/audit-round.store.ts';
import { type CalendarMonth, CalendarMonthEntity } from '../../shared/domain/calendar/calendar.store.ts';
import type { FeedIds } from '../../shared/domain/ical/model.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import type { DeliveryMessage } from '../../shared/domain/webhook/model.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { type DomainEvent, EventEntity } from '../../shared/platform/events/event.entity.ts';
import { typesOf } from '../../shared/subscriptions.ts';
import { connectTable } from '../../shared/platform/table/client.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { calendarWith, nights } from './calendars.ts';
import { createTestTable } from './test-table.ts';
import { queueEvent } from './events.ts';
import { groupCalls } from './group-calls.ts';
import { testListing } from './listings.ts';
import { testDependencies, testKey, testStart, testTeam, testUser } from './table.ts';

const minute = 60_000;

/** The service's clock on a laptop: `offset` is what the test clock adds to the time that passes. */
const movableClock = () => {
  let passed = Date.parse(testStart);
  let offset = 0;
  return {
    now: () => passed + offset,
    steady: () => passed,
    advance: (ms: number) => void (passed += ms),
    move: (offsetMs: number) => void (offset = offsetMs),
  };
};

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

interface RawItem {
  pk: string;
  sk: string;
  entity?: string;
  expires_at?: number;
}

const allItems = async (TableName: string): Promise<RawItem[]> => {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
  return Items as RawItem[];
};

/** A team with homes, a followed calendar, a webhook and a partner, with every worker and schedule, and a test clock. */
export const movedClockScene = async () => {
  const clock = movableClock();
  // Of its own: the clocks of others are elsewhere.
  const table = await createTestTable();
  const deps = { ...(await testDependencies({ clock })), table: connectTable(table) };
  const { team_id } = await testTeam(deps);
  const owner = (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
  const { caller: partner } = await testKey(deps, { team_ids: [team_id] });
  const homes = await Promise.all(
    Array.from({ length: 3 }, () =>
      testListing(deps, { team_id, refund_rule: 'Full refund until check-in' }),
    ),
  );
  const endpoint = { isDown: false };
  const sent: string[] = [];
  const post = async (_: string, { body }: { body: string }) => {
    if (endpoint.isDown) return { status: 503 };
    sent.push((JSON.parse(body) as { id: string }).id);
    return { status: 204 };
  };
  const address = () => ({
    local: false,
    resolve: async () => [{ address: '93.184.215.14', family: 4 as const }],
  });
  const sending = { ...deps, post, signingClock: machineClock };
  const fetchCalendar = async (url: string) => {
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const body = Buffer.from(calendarWith(nights('theirs', addDays(today, 40), addDays(today, 42))));
    return { status: 200, headers: {}, body, url };
  };
  const given = () => deps;
  const host = {
    ...groupCalls(checkout(given), checkoutRoutes),
    bookings: groupCalls(bookings(given), bookingRoutes),
    changes: groupCalls(changes(given), changesRoutes),
    availability: groupCalls(availability(given), availabilityRoutes),
    feeds: groupCalls(feeds(given, fetchCalendar) as never, feedsRoutes),
    webhooks: groupCalls(webhooks(given, { post, signingClock: machineClock, address }), webhooksRoutes),
  };
  await host.feeds.ok(owner, 'followCalendar', {
    params: { listing_id: homes[0]!.id },
    body: { url: 'https://calendars.example.com/x.ics' },
  });
  const { id: webhook_id } = await host.webhooks.ok(partner, 'createWebhook', {
    body: { url: 'https://partner.example.com/hooks', event_types: ['booking.created', 'booking.cancelled'] },
  });

  const queued: DeliveryMessage[] = [];
  const queue = {
    waiting: async () => queued.length,
    send: async (messages: readonly DeliveryMessage[]) => void queued.push(...messages),
  };
  const deliverWebhooks = async () => {
    for (let messages = queued.splice(0, 10); messages.length > 0; messages = queued.splice(0, 10))
      await deliveryWorker(() => ({ ...sending, lane: 'second', second: { send: async () => undefined } }))(
        queueEvent(...messages.map((message) => JSON.stringify(message))),
      );
  };
  const mailer = { send: async () => undefined };
  const workers = {
    webhook: webhookWorker(() => ({ ...deps, deliveries: queue })),
    'list-index': listIndexWorker(given),
    ical: icalWorker(given),
    chat: chatWorker(given),
    notification: notificationWorker(() => ({ ...deps, mailer })),
  };
  const published = new Set<string>();
  /** Brings new events to the workers, in the order in which they were written. */
  const publish = async (): Promise<void> => {
    const events = (await allEvents()).filter(({ id }) => !published.has(id));
    for (const [consumer, worker] of Object.entries(workers)) {
      const wanted = events.filter(({ event_type }) =>
        (typesOf(consumer as keyof typeof workers) as readonly string[]).includes(event_type),
      );
      for (let at = 0; at < wanted.length; at += 10) {
        const { batchItemFailures } = await worker(queueEvent(...(wanted.slice(at, at + 10) as never[])));
        if (batchItemFailures.length > 0) throw new Error(`${consumer} failed`);
      }
    }
    for (const { id } of events) published.add(id);
    await deliverWebhooks();
  };
  const allEvents = async (): Promise<DomainEvent[]> => {
    const events = (await allItems(table)).filter(({ entity }) => entity === EventEntity.name) as unknown[];
    return (events as DomainEvent[])
      .filter((event) => event.team_id === team_id)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  };
  /** Deletes what has expired by the service's clock, as the local service does. */
  const sweep = async () => {
    for (const { pk, sk, expires_at = Infinity } of await allItems(table))
      if (expires_at <= clock.now() / 1000)
        await documents.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
  };
  const syncDue = async () => {
    const due: FeedIds[] = [];
    const feedQueue = {
      waiting: async () => 0,
      send: async (some: readonly FeedIds[]) => void due.push(...some),
    };
    await pollCalendars(() => ({ ...deps, queue: feedQueue }))();
    for (const one of due)
      await calendarSyncWorker(() => ({ ...deps, fetchCalendar }))(queueEvent(JSON.stringify(one)));
  };
  return {
    deps,
    clock,
    owner,
    partner,
    homes,
    host,
    endpoint,
    sent,
    webhook_id,
    publish,
    allEvents,
    /** Runs every schedule once. */
    runSchedules: async () => {
      await syncDue();
      const { failed } = await moveDueBookings(deps);
      const reconciled = await reconcilePayments(deps);
      const mailed = await sendDueMails({ ...deps, mailer });
      if (failed + reconciled.failed + mailed.failed > 0) throw new Error('due work failed');
      await retryWebhooks(() => ({ ...deps, queue }))();
      await deliverWebhooks();
      await auditBookings(deps);
    },
    /** Moves the test clock, as the local service does. */
    moveClock: async (offsetMs: number) => {
      clock.move(offsetMs);
      await sweep();
      await recallDue(deps);
      await recallHolds(deps, () => allItems(table));
    },
    /** The soft locks that take time now. */
    liveHolds: async () => {
      const months = (await allItems(table)).filter(({ entity }) => entity === CalendarMonthEntity.name);
      return (months as unknown as CalendarMonth[])
        .flatMap(({ locks }) => Object.values(locks))
        .filter(({ until }) => until > clock.now());
    },
    findings: async () => (await readRound(deps.table))?.open ?? [],
    feeds: async () =>
      (await host.feeds.ok(owner, 'listFeeds', { params: { listing_id: homes[0]!.id } })).items,
    pass: (minutes: number) => clock.advance(minutes * minute),
  };
};

export type MovedClockScene = Awaited<ReturnType<typeof movedClockScene>>;
