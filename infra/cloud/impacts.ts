import type { AlarmedMetricName } from '../../shared/platform/metrics/alarmed-metrics.ts';

/** What users notice when a function fails: the first sentence of its alarms. For consumers the subscription has it. */
const functionImpacts: Record<string, string> = {
  authorizer: 'No request is authorized: customers, hosts and partners receive 503.',
  account: 'Customers and hosts cannot read or change their own record.',
  availability: 'Hosts and customers cannot see which dates are free.',
  bookings: 'Guests and hosts cannot read or cancel their bookings.',
  cart: 'Customers cannot read or change their carts.',
  chats: 'Guests and hosts cannot read their messages.',
  checkout: 'Customers cannot book: previews, holds and confirmations fail.',
  customers: "Partners' customers can neither register nor log in.",
  external: "Partners' back ends cannot read listings or make bookings.",
  feeds: 'Other platforms cannot fetch the exported calendars and may sell nights that are taken.',
  listings: 'Hosts cannot manage listings, and customers cannot open them.',
  payments: 'Online payments are recorded up to 5 minutes late: paid bookings are shown as unpaid.',
  prices: 'Hosts cannot change prices, and prices cannot be previewed.',
  search: 'Customers cannot search for a stay.',
  system: 'The health check and the documentation do not answer.',
  team: 'Owners of teams cannot see or change the keys and members of their team.',
  webhooks: 'Partners cannot manage webhooks or read the feed of events.',
  'workers/publisher':
    'Bookings succeed, but their events are not published: no mail, chat, webhook or calendar follows.',
};

/** Returns the impact of a function. */
export const impactOf = (folder: string): string => {
  const impact = functionImpacts[folder];
  if (impact === undefined) throw new Error(`infra/cloud/impacts.ts has no row for functions/${folder}.`);
  return impact;
};

/** What users notice: the text of each metric's alarm. */
export const metricImpacts: Record<AlarmedMetricName, string> = {
  payment_mismatch:
    'A guest paid a different amount than due: the payment is neither booked nor refunded. The log names the payment.',
  payment_twice:
    'A guest was charged twice for one booking; the second charge is refunded. The log names the payment.',
  payment_unasked:
    'An unpaid booking was cancelled after its gateway did not answer for 6 hours; if it was paid, it is refunded. The log names the booking.',
  refund_unsure:
    'A refund may not have been made: the gateway does not say whether it was, and it is not retried. Check the payment in the console of the gateway, then close it with `operator refund done` or `operator refund again`. The log names it.',
  record_mismatch:
    'A stored item does not have the shape of its record: requests that read it may fail or answer wrongly. The log names the item and its fields. During a deployment, functions of the version before may count items of the next.',
  audit_findings:
    'Records disagree: a night may be sold twice or kept without a booking, money may be missing, or an event was not sent. The log names rule and records under "Records disagree"; `operator audit booking` shows them. The alarm lasts until they agree.',
  audit_lag_seconds: 'The audit of bookings is 4 hours behind: records that disagree are noticed late.',
  due_lag_seconds: 'The schedule is behind: work runs 15 minutes or more late.',
  due_failures:
    'Work of the schedule has failed in every run for 15 minutes and is rescheduled. The log says why.',
  due_stuck:
    'An item is at least 35 minutes late: it has failed 4 times in a row or more. The log names it. The alarm lasts until 75 minutes after the last failure.',
};
