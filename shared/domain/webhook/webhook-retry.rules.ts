import { visibilityTimeoutSeconds } from '../../platform/events/queues.ts';
import { hourMs, minuteMs } from '../../platform/time/time.ts';
import { webhookDeliveryQueue } from '../../schedules.ts';

/** The delays between failed attempts (D62). */
const retryDelaysMs: readonly number[] = [
  5 * 1000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** Returns the delay after the given number of failed attempts; undefined after the last. */
export const retryDelayMs = (tries: number): number | undefined => retryDelaysMs[tries - 1];

/** Shorter delays use the queue; the schedule of due retries runs every minute. */
export const minScheduledDelayMs = minuteMs;

const { maxReceives, timeoutSeconds } = webhookDeliveryQueue;
/** When the schedule enqueues a first attempt again: by then its queue has delivered the message for the last time. */
export const firstEnqueueMs = maxReceives * visibilityTimeoutSeconds(timeoutSeconds) * 1000;

/** Returns the delay until the schedule enqueues a delivery again, while no attempt follows. */
export const enqueueDelayMs = (looks: number): number => Math.min(5 * minuteMs * 2 ** looks, 6 * hourMs);
