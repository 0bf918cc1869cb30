import type { Clock } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { readEnv, ServiceEnv } from '../../platform/env.ts';
import { fetchOutgoing, type Resolve } from '../../platform/outgoing/index.ts';
import type { WorkQueue } from '../../platform/queue/work-queue.ts';
import type { DeliveryIds } from './delivery.entity.ts';
import type { WebhookIds } from './webhook.entity.ts';

/** Brings a signed body to an address (D63): any status is an answer, and no answer is thrown. */
export type PostWebhook = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number }>;

/** What sending takes. */
export interface SendingDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  post: PostWebhook;
  /** The time that receivers hold a signature against: their own, so the machine's, also where the service's was moved. */
  signingClock: Clock;
}

/** A delivery as it waits in a queue. */
export type DeliveryMessage = DeliveryIds & WebhookIds;
export type DeliveryQueue = Pick<WorkQueue<DeliveryMessage>, 'send'>;

/** What entering an event takes. */
export interface AppendDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  deliveries: DeliveryQueue;
}

/**
 * The two queues of deliveries. An endpoint that fails or is slow is tried in the second one alone, so that it takes no worker's
 * time from those that answer.
 */
export interface DeliveringDependencies extends SendingDependencies {
  lane: 'first' | 'second';
  second: DeliveryQueue;
}

/** Whether the service runs on a laptop, whose own machine may be called. */
export const isLocal = (): boolean => readEnv(ServiceEnv).STAGE === 'local';

/** How this process sends: 10 seconds, checked addresses alone, and no redirect is followed (D63). */
export const postHere: PostWebhook = (url, { headers, body }) =>
  fetchOutgoing(url, { method: 'POST', headers, body, local: isLocal(), maxRedirects: 0, bodyless: true });

/** How addresses are checked when they are given. */
export interface AddressCheck {
  local: boolean;
  resolve?: Resolve;
}
