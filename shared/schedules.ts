/** A function that runs at a rate. Timers, permissions, its part in the alarm and the local timer are derived from it. */
export interface Schedule {
  /** The folder below `functions/schedules/`. */
  name: string;
  everyMinutes: number;
  /** What users notice when it does not run. */
  impact: string;
  timeoutSeconds: number;
  /** The function drains a due list. */
  drainsDueList?: boolean;
}

const rows = [
  {
    name: 'poll-calendars',
    everyMinutes: 1,
    impact:
      'Calendars of other platforms are not fetched: nights that are sold there can still be booked here.',
    timeoutSeconds: 30,
  },
  {
    name: 'move-due-bookings',
    everyMinutes: 5,
    impact:
      'Bookings that were not accepted or not paid keep their nights, and stays are not completed after check-out.',
    timeoutSeconds: 240,
    drainsDueList: true,
  },
  {
    name: 'retry-webhooks',
    everyMinutes: 1,
    impact: 'Failed webhook deliveries are not retried.',
    timeoutSeconds: 30,
  },
  {
    name: 'reconcile-payments',
    everyMinutes: 5,
    impact:
      'Payments whose report was lost are not noticed: guests who paid look unpaid, charges without a booking and refunds stay with us.',
    timeoutSeconds: 240,
    drainsDueList: true,
  },
  {
    name: 'send-due-mails',
    everyMinutes: 1,
    impact: 'Guests are not reminded of their stay and how to enter, and no mail reports unread messages.',
    timeoutSeconds: 240,
    drainsDueList: true,
  },
  {
    name: 'audit-bookings',
    everyMinutes: 5,
    impact:
      'Records that disagree are not noticed: calendars, bookings, payments and events are not compared.',
    timeoutSeconds: 240,
  },
] as const satisfies readonly Schedule[];

export type ScheduleName = (typeof rows)[number]['name'];

export const schedules: readonly (Schedule & { name: ScheduleName })[] = rows;

/** Returns how often a schedule runs. */
export const everyMinutesOf = (name: ScheduleName): number =>
  schedules.find((row) => row.name === name)?.everyMinutes ?? 0;

/**
 * A queue of work between functions, one message for each job. Queue, dead-letter queue and worker are derived from it.
 */
export interface WorkQueue {
  /** The folder below `functions/workers/` and the name of the queue. */
  consumer: string;
  /** The functions that send to the queue: folders below `functions/`. */
  producers: readonly string[];
  description: string;
  impact: string;
  batchSize: number;
  timeoutSeconds: number;
  /** Deliveries of a message before it moves to the dead-letter queue. */
  maxReceives: number;
}

export const webhookDeliveryQueue = {
  consumer: 'webhook-delivery',
  producers: ['workers/webhook'],
  description: 'Makes the first attempts of webhook deliveries.',
  impact: 'Partners are sent no webhooks.',
  batchSize: 10,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies WorkQueue;

export const workQueues: readonly WorkQueue[] = [
  {
    consumer: 'calendar-sync',
    producers: ['schedules/poll-calendars'],
    description: 'Fetches calendars of other platforms and brings them in.',
    impact: 'Nights that are sold on other platforms can still be booked here.',
    // A calendar that takes long must not hold up others.
    batchSize: 1,
    timeoutSeconds: 30,
    maxReceives: 5,
  },
  webhookDeliveryQueue,
  {
    consumer: 'webhook-retry',
    producers: ['workers/webhook-delivery', 'workers/webhook-retry', 'schedules/retry-webhooks'],
    description: 'Makes the attempts at webhooks whose endpoints fail.',
    impact: 'Failed webhook deliveries are not retried.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxReceives: 5,
  },
];

/** Returns the environment variable that holds the URL of a queue: `CALENDAR_SYNC_QUEUE_URL`. */
export const queueUrlVariable = (consumer: string): string =>
  `${consumer.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`;
