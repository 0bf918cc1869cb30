import { type Payment, PaymentEntity } from '../../../shared/domain/payment/model.ts';
import { readStored } from '../../../shared/platform/table/stored-item.ts';
import { eachItem, type Fields, ofEntities, type StoredItems } from '../stored-items.ts';

/** What of a kind of record is compared: the ids that name it, and what it says. Both are printed, so neither is personal. */
interface Compared {
  ids: readonly string[];
  says: readonly string[];
}

const compared: Record<string, Compared> = {
  Reservation: {
    ids: ['reservation_id', 'order_id', 'team_id'],
    says: [
      ...['listing_id', 'start_at', 'end_at', 'preparation_hours', 'guest_number', 'total'],
      ...['state', 'payment_method', 'payment_status'],
    ],
  },
  Payment: { ids: ['payment_id'], says: ['state', 'reference', 'transaction_id', 'refunded'] },
  PaymentRefund: { ids: ['payment_id', 'refund_id'], says: ['state', 'amount', 'currency'] },
  AvailabilityEntry: {
    ids: ['listing_id', 'availability_id'],
    says: ['state', 'start_at', 'end_at', 'preparation_hours'],
  },
  Listing: { ids: ['id', 'team_id'], says: ['state', 'version'] },
  Review: { ids: ['id', 'listing_id'], says: ['rating'] },
  Webhook: { ids: ['webhook_id', 'key_id'], says: ['state', 'version'] },
  ApiKey: { ids: ['key_id'], says: ['state', 'valid_until'] },
  User: { ids: ['user_id'], says: ['status'] },
  Membership: { ids: ['user_id', 'team_id'], says: ['role', 'state'] },
};

/** A record that differs: `lost` is not in the copy, `changed` says something else there, `back` was removed since. */
interface Difference {
  change: 'lost' | 'changed' | 'back';
  /** Ids, and what the record says in the table before. */
  before: Fields;
  /** What it says in the copy. */
  restored: Fields | null;
}

interface Comparison {
  records: Record<string, Difference[]>;
  /** Commands that take effect again: what ended access since the instant has not happened in the copy. */
  repeat: string[];
  /** Payments as the table before has them, which the copy lacks or has otherwise. */
  payments: Payment[];
}

const selection = ofEntities(Object.keys(compared));

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** A hold of a checkout ends by itself and is no booking. */
const isTransient = ({ entity, state }: Fields): boolean =>
  entity === 'AvailabilityEntry' && state === 'SOFT_LOCK';

/** Compares the table before a restore with its copy, both read whole. */
export const compareTables = async (
  before: StoredItems,
  restored: StoredItems,
  { now, progress }: { now: number; progress: (text: string) => void },
): Promise<Comparison> => {
  const copies = new Map<string, Fields>();
  await eachItem({ items: restored, progress: (text) => progress(`copy: ${text}`) }, selection, (fields) => {
    if (!isTransient(fields)) copies.set(keyOf(fields), factsOf(fields));
  });
  const found: Comparison = { records: {}, repeat: [], payments: [] };
  const add = (entity: string, difference: Difference) => (found.records[entity] ??= []).push(difference);
  await eachItem({ items: before, progress }, selection, (fields) => {
    if (isTransient(fields)) return;
    const entity = String(fields['entity']);
    const copy = copies.get(keyOf(fields));
    copies.delete(keyOf(fields));
    const { says, ids } = compared[entity] as Compared;
    if (copy && JSON.stringify(pick(copy, says)) === JSON.stringify(pick(fields, says))) return;
    const facts = pick(fields, [...ids, ...says]);
    add(
      entity,
      copy
        ? { change: 'changed', before: facts, restored: pick(copy, says) }
        : { change: 'lost', before: facts, restored: null },
    );
    found.repeat.push(...(copy ? commandsOf(entity, { facts, copy, now }) : []));
    if (entity === 'Payment') found.payments.push(readStored(PaymentEntity, fields, () => undefined));
  });
  for (const { entity, ...copy } of copies.values()) {
    add(String(entity), { change: 'back', before: pick(copy, idsOf(entity)), restored: copy });
    if (entity === 'Membership' && copy['role'] !== 'CUSTOMER')
      found.repeat.push(
        `member remove --team ${String(copy['team_id'])} --email <address of user ${String(copy['user_id'])}>`,
      );
  }
  for (const differences of Object.values(found.records)) differences.sort(inOrder);
  return { ...found, repeat: found.repeat.sort() };
};

const idsOf = (entity: unknown): readonly string[] => compared[String(entity)]?.ids ?? [];

const keyOf = ({ pk, sk }: Fields): string => `${String(pk)} ${String(sk)}`;

const factsOf = (fields: Fields): Fields => {
  const { ids, says } = compared[String(fields['entity'])] as Compared;
  return { entity: fields['entity'], ...pick(fields, [...ids, ...says]) };
};

const inOrder = (one: Difference, other: Difference): number =>
  JSON.stringify(one.before) < JSON.stringify(other.before) ? -1 : 1;

/** Returns the commands that end access in the copy as it has ended in the table before. */
const commandsOf = (
  entity: string,
  { facts, copy, now }: { facts: Fields; copy: Fields; now: number },
): string[] => {
  const { state, status, valid_until } = facts;
  const hasEnded = typeof valid_until === 'string' && Date.parse(valid_until) <= now;
  if (entity === 'ApiKey' && copy['state'] === 'ACTIVE' && (state === 'REVOKED' || hasEnded))
    return [`key revoke --key ${String(facts['key_id'])}`];
  if (entity !== 'User' || copy['status'] === status) return [];
  if (status === 'BLOCKED') return [`user block --user ${String(facts['user_id'])}`];
  return status === 'DELETED' ? [`person erase --user ${String(facts['user_id'])}`] : [];
};
