import type { _Record } from '@aws-sdk/client-dynamodb-streams';

/** The attributes that are states, by entity. */
const states: Partial<Record<string, readonly string[]>> = {
  Reservation: ['state', 'payment_status'],
  Order: ['state'],
  Payment: ['state'],
  PaymentRefund: ['state'],
  WebhookDelivery: ['state'],
  Webhook: ['state'],
  Listing: ['state'],
};

/** Counts the changes of states in a record of the stream: `Reservation state PENDING>CONFIRMED`. */
export const countMove = (moves: Map<string, number>, { dynamodb, userIdentity }: _Record): void => {
  const { NewImage: after, OldImage: before } = dynamodb ?? {};
  const entity = (after ?? before)?.['entity']?.S ?? '';
  if (userIdentity) count(moves, `expired ${entity}`);
  if (!after) return;
  for (const name of states[entity] ?? []) {
    const [from, to] = [before?.[name]?.S ?? 'new', after[name]?.S ?? ''];
    if (from !== to) count(moves, `${entity} ${name} ${from}>${to}`);
  }
};

const count = (moves: Map<string, number>, name: string): void => {
  moves.set(name, (moves.get(name) ?? 0) + 1);
};
