import type { Booking, EventType, PartnerClient, PartnerEvent } from '@nightlatch/client';
import { bookANight } from './book-a-night.ts';
import { newestCursor } from './newest.ts';
import { UsageError } from './settings.ts';

interface TriggerTools {
  client: PartnerClient;
  baseUrl: string;
}

interface Trigger {
  does: string;
  /** Makes the event happen; returns its `data.id`. */
  run: (tools: TriggerTools) => Promise<number>;
}

const pay = async (
  { baseUrl }: TriggerTools,
  booking: Booking,
  outcome: 'success' | 'failure',
): Promise<void> => {
  const response = await fetch(`${baseUrl}/_local/payments/${booking.master_reservation_id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ outcome }),
  });
  if (!response.ok)
    throw new UsageError(
      `The sandbox gateway answers ${response.status}: payments are triggered on a laptop only.`,
    );
};

const paid = async (tools: TriggerTools, outcome: 'success' | 'failure'): Promise<Booking> => {
  const booking = await bookANight(tools.client, 'ONLINE_GATEWAY');
  await pay(tools, booking, outcome);
  return booking;
};

const registered = async ({ client }: TriggerTools): Promise<number> => {
  const random = crypto.randomUUID();
  const { user_id } = await client.registerCustomer({
    email: `trigger-${random}@example.com`,
    full_name: 'Trigger Test',
    phone: '+84 900 000 000',
    password: `Aa1-${random}`,
  });
  return user_id;
};

const written = async ({ client }: TriggerTools): Promise<number> => {
  const { id } = await bookANight(client);
  return (await client.sendExternalMessage({ booking_id: id, text: 'A test message.' })).id;
};

const cancelled = async ({ client }: TriggerTools, { id }: Booking): Promise<number> => {
  await client.cancelExternalBooking({ booking_id: id, reason: 'A test.' });
  return id;
};

const triggers = {
  'booking.created': {
    does: 'books a free night',
    run: async ({ client }) => (await bookANight(client)).id,
  },
  'booking.cancelled': {
    does: 'books a free night and cancels it',
    run: async (tools) => cancelled(tools, await bookANight(tools.client)),
  },
  'chat.message_created': { does: 'books a free night and writes to its host', run: written },
  'customer.registered': { does: 'registers a customer', run: registered },
  'payment.paid': {
    does: 'books a free night and pays it at the sandbox gateway (laptop only)',
    run: async (tools) => (await paid(tools, 'success')).id,
  },
  'payment.failed': {
    does: 'books a free night and lets the payment fail (laptop only)',
    run: async (tools) => (await paid(tools, 'failure')).id,
  },
  'payment.refunded': {
    does: 'books a free night, pays it and cancels it (laptop only)',
    run: async (tools) => cancelled(tools, await paid(tools, 'success')),
  },
} satisfies Partial<Record<EventType, Trigger>>;

const isTriggered = (type: string): type is keyof typeof triggers => Object.hasOwn(triggers, type);

/** Who makes the other events. */
const otherEvents: Record<Exclude<EventType, keyof typeof triggers>, 'the host' | 'the guest' | 'time'> = {
  'booking.confirmed': 'the host',
  'booking.restored': 'time',
  'booking.declined': 'the host',
  'booking.changed': 'the host',
  'booking.guest_updated': 'the host',
  'booking.charged': 'the host',
  'booking.deposit_changed': 'the host',
  'booking.checked_in': 'the host',
  'booking.check_in_undone': 'the host',
  'booking.checked_out': 'the host',
  'booking.completed': 'time',
  'booking.no_show': 'the host',
  'payment.corrected': 'the host',
  'payment.due': 'time',
  'payment.extended': 'the host',
  'listing.created': 'the host',
  'listing.updated': 'the host',
  'listing.archived': 'the host',
  'listing.rules_changed': 'the host',
  'availability.changed': 'the host',
  'review.created': 'the guest',
};

/** What can be triggered, a line each. */
export const triggerHelp = (): string =>
  Object.entries(triggers)
    .map(([type, { does }]) => `  ${type.padEnd(21)} ${does}`)
    .join('\n');

const refusalOf = (type: string): string => {
  const [, source] = Object.entries(otherEvents).find(([other]) => other === type) ?? [];
  return source === undefined
    ? `${type} is no event. These are, and cannot be triggered: ${Object.keys(otherEvents).join(', ')}.`
    : `${type} cannot be triggered: it is made by ${source}.`;
};

const arrivesWithinMs = 30_000;

/** Makes an event happen by real calls, and returns it as the feed has it. */
export const trigger = async (tools: TriggerTools, type: string): Promise<PartnerEvent> => {
  if (!isTriggered(type))
    throw new UsageError(`${refusalOf(type)} These can be triggered:\n${triggerHelp()}`);
  const after = await newestCursor(tools.client);
  const id = await triggers[type].run(tools);
  const signal = AbortSignal.timeout(arrivesWithinMs);
  for await (const event of tools.client.events({ after, pollMs: 250, signal }))
    if (event.event_type === type && event.data.id === id) return event;
  throw new Error('The feed has ended.');
};
