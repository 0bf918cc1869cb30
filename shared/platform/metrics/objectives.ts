/** A service-level objective: of its requests, this share is answered without a fault of the service. */
interface ServiceLevelObjective {
  /** The requests that count, in a few words. */
  of: string;
  target: number;
}

/**
 * The objectives of the service. A request belongs to at most one; a failure is a 5xx answer, also one of the gateway. Refusals such
 * as 402, 409 and 429 are decisions, not failures.
 */
export const objectives = {
  confirm: { of: 'requests that make a booking', target: 0.999 },
  booking: { of: 'previews, quotes, holds and cancellations', target: 0.999 },
  search: { of: 'searches and reads of listings, prices and free dates', target: 0.999 },
  partner: { of: 'other requests of partners', target: 0.999 },
} as const satisfies Record<string, ServiceLevelObjective>;

export type Objective = keyof typeof objectives;

/**
 * Returns the metric of an objective: 1 for a request that failed, 0 for any other. So its average is the share of failures,
 * and one metric, paid once, has both.
 */
export const failureMetric = (objective: Objective): string => `${objective}_failed`;
