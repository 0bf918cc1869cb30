import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import { calendarBugs } from '../ical/seeded-bugs.ts';
import type { ServiceBug } from './bug.ts';
import { withoutPuts } from './tampering.ts';

type ReadNotification = PaymentGateway['readNotification'];

/** Takes the news that a session is complete for the news that its money is there. */
const readingTooMuch =
  (read: ReadNotification): ReadNotification =>
  async (request, now) => {
    const notification = await read(request, now);
    if (!notification || 'refund_id' in notification) return notification;
    if (notification.outcome.state !== 'unpaid' || notification.outcome.final) return notification;
    const { data } = JSON.parse(request.body) as {
      data: { object: { amount_total: number; currency: string; payment_intent: string } };
    };
    const { amount_total, currency, payment_intent } = data.object;
    const amounts = { amount: amount_total, currency: currency.toUpperCase() };
    return { ...notification, outcome: { state: 'paid', transaction_id: payment_intent, ...amounts } };
  };

/** Each time a refund is asked for it has another key. */
export const refundingAnew = (client: PaymentGateway): PaymentGateway => ({
  ...client,
  refund: (due) => client.refund({ ...due, refund_id: `${due.refund_id}-${due.now}` }),
});

const gatewayBugs: readonly ServiceBug[] = [
  { name: 'a refund is asked for again under another key', gateway: refundingAnew },
  {
    name: 'a session of Stripe that is complete counts as paid, whether its money has come or not',
    gateway: (client) =>
      client.provider === 'stripe'
        ? { ...client, readNotification: readingTooMuch((...given) => client.readNotification(...given)) }
        : client,
  },
  {
    name: 'VNPay is asked with the date of the question instead of that of the page',
    gateway: (client) =>
      client.provider === 'vnpay'
        ? {
            ...client,
            find: (opened) => client.find({ ...opened, opened_at: opened.now }),
            close: (opened) => client.close({ ...opened, opened_at: opened.now }),
          }
        : client,
  },
];

const ofPlatforms = (name: string): ServiceBug => {
  const { tamper } = calendarBugs.find((bug) => bug.name === name) ?? {};
  if (!tamper) throw new Error(`no such mistake of calendars: ${name}`);
  return { name: `${name}, in the whole service`, tamper };
};

const platformBugs: readonly ServiceBug[] = [
  ofPlatforms('an echo is not recognised'),
  ofPlatforms('a booking of nights that were given once is taken for an echo'),
];

const deploymentBugs: readonly ServiceBug[] = [
  {
    name: 'records of the version before are read as they are',
    reading: (item) =>
      (item['entity'] === 'Webhook' || item['entity'] === 'FollowedFeed') && item['sv'] === undefined
        ? { ...item, sv: 2 }
        : item,
  },
  {
    name: 'the version before does not note when a booking is due, and the present one relies on it',
    tamperBefore: withoutPuts('DueBooking'),
  },
];

/** Mistakes of what connects the service with others, and with its own earlier version. */
export const outsideBugs: readonly ServiceBug[] = [...platformBugs, ...gatewayBugs, ...deploymentBugs];
