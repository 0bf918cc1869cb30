/** Work that comes again and again: timers, their rights and alarms, and the local timer are derived from its row. */
export interface Schedule {
  /** The folder below `functions/schedules/`. */
  name: string;
  everyMinutes: number;
  /** What users notice when it stands still: the text of its alarm. */
  impact: string;
  timeoutSeconds: number;
  /** It works off a list of what is due: how late it is and what fails has alarms of its own. */
  drainsDueList?: boolean;
}

export const schedules: readonly Schedule[] = [
  {
    name: 'poll-calendars',
    everyMinutes: 1,
    impact: 'Calendars of other platforms are not fetched: nights that are sold there stay open here.',
    timeoutSeconds: 30,
  },
  {
    name: 'move-due-bookings',
    everyMinutes: 5,
    impact:
      'Bookings that no host accepted, or that were not paid, go on holding their nights, and stays are not completed after check-out.',
    timeoutSeconds: 240,
    drainsDueList: true,
  },
  {
    name: 'retry-webhooks',
    everyMinutes: 1,
    impact: 'Webhooks that failed once are not tried again.',
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
    impact: 'Guests are not reminded of their stay and how to enter, and no mail tells of unread messages.',
    timeoutSeconds: 240,
    drainsDueList: true,
  },
];

/** Work that functions hand to each other, a message each: queue, dead-letter queue, alarm and worker are derived from its row. */
export interface WorkQueue {
  /** The folder below `functions/workers/` and the name of the queue. */
  consumer: string;
  /** What puts the work in: folders below `functions/`. */
  producers: readonly string[];
  description: string;
  impact: string;
  batchSize: number;
  timeoutSeconds: number;
  /** Deliveries of one message before it goes to the dead-letter queue. */
  maxReceives: number;
}

export const workQueues: readonly WorkQueue[] = [
  {
    consumer: 'calendar-sync',
    producers: ['schedules/poll-calendars'],
    description: 'Fetches calendars of other platforms and brings them in.',
    impact: 'Nights that are sold on other platforms stay open here.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxReceives: 5,
  },
  {
    consumer: 'webhook-delivery',
    producers: ['workers/webhook'],
    description: 'Makes the first attempts of webhook deliveries.',
    impact: 'Partners are sent no webhooks.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxReceives: 5,
  },
  {
    consumer: 'webhook-retry',
    producers: ['workers/webhook-delivery', 'workers/webhook-retry', 'schedules/retry-webhooks'],
    description: 'Makes the attempts at webhooks whose endpoints fail.',
    impact: 'Webhooks that failed once are not tried again.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxReceives: 5,
  },
];

/** The variable that tells a producer the address of a queue: `CALENDAR_SYNC_QUEUE_URL`. */
export const queueUrlVariable = (consumer: string): string =>
  `${consumer.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`;
