import type { CommandPlace } from './command.ts';
import { endOf } from './fields.ts';
import { countOne, eachItem, type Fields } from './stored-items.ts';

/** Who is asked about, and between which instants; both inclusive, UTC. */
interface Asked {
  actor: { user_id: number } | { partner_key_id: number };
  from: string;
  to?: string | undefined;
}

/** Something that the actor has changed. Ids and names of fields alone, nothing personal. */
interface Change {
  at: string;
  event_type: string;
  team_id: number | null;
  /** Of the booking, listing, review or account. */
  id: number;
  listing_id?: number;
  master_reservation_id?: number;
  /** The changed fields of a listing, or names of its changed prices and rules. */
  changed?: string[];
}

export interface ActorHistory {
  /** As in events, in the history of a booking and in the access log. */
  actor: string;
  from: string;
  to: string;
  by_type: Record<string, number>;
  changes: Change[];
  /** Keys that the account has made or revoked, or all of the partner. */
  keys: Fields[];
  /** Webhooks of these keys: they send on what happens until they are removed. */
  webhooks: Fields[];
  /** Members who joined the teams of the account in the time; the record does not say who added them. */
  members_since: Fields[];
  /** Every request of the actor, reads included, in CloudWatch Logs Insights; null on a laptop. */
  log_query: { log_group: string; start_time: number; end_time: number; query: string } | null;
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

const keyFields = ['key_id', 'partner_key_id', 'name', 'team_ids', 'state', 'created_at', 'created_by'];
const keyEnd = ['revoked_at', 'revoked_by', 'valid_until', 'last_used'];
const webhookFields = ['webhook_id', 'key_id', 'url', 'team_ids', 'event_types', 'state', 'created_at'];

const selection = (actor: string, { from, to }: { from: string; to: string }) => ({
  FilterExpression:
    '#entity IN (:key, :hook, :member) OR (#entity = :event AND #actor = :actor AND #at BETWEEN :from AND :to)',
  ExpressionAttributeNames: { '#entity': 'entity', '#actor': 'actor', '#at': 'occurred_at' },
  ExpressionAttributeValues: {
    ...{ ':key': { S: 'ApiKey' }, ':hook': { S: 'Webhook' }, ':member': { S: 'Membership' } },
    ...{ ':event': { S: 'Event' }, ':actor': { S: actor }, ':from': { S: from }, ':to': { S: to } },
  },
});

/**
 * Returns what an account or a partner has changed between two instants, and the query of the access log that has the rest.
 * Reads the whole table: no index has events by their actor.
 */
export const actorHistory = async (
  place: CommandPlace,
  { actor: who, ...time }: Asked,
): Promise<ActorHistory> => {
  const { deps, stage } = place;
  const { from } = time;
  const to = endOf(time, deps.clock.now());
  const userId = 'user_id' in who ? who.user_id : undefined;
  const actor = 'user_id' in who ? `user:${who.user_id}` : `key:${who.partner_key_id}`;
  const found: Record<string, Fields[]> = { Event: [], ApiKey: [], Webhook: [], Membership: [] };
  await eachItem(place, selection(actor, { from, to }), (item) => {
    found[String(item['entity'])]?.push(item);
  });
  const { Event: events = [], ApiKey = [], Webhook = [], Membership = [] } = found;
  const isWithin = (at: unknown): boolean => typeof at === 'string' && at >= from && at <= to;
  const keys = ApiKey.filter((key) =>
    'user_id' in who
      ? key['created_by'] === userId || (key['revoked_by'] === userId && isWithin(key['revoked_at']))
      : key['partner_key_id'] === who.partner_key_id,
  );
  const partners = new Set(keys.map(({ partner_key_id }) => partner_key_id));
  const hostOf = new Set(
    Membership.filter(({ user_id, role }) => user_id === userId && role !== 'CUSTOMER').map(
      ({ team_id }) => team_id,
    ),
  );
  const changes = events.map(changeOf).sort(byTime);
  return {
    ...{ actor, from, to, by_type: countTypes(changes), changes },
    keys: keys.map((key) => pick(key, [...keyFields, ...keyEnd])),
    webhooks: Webhook.filter(({ key_id }) => partners.has(key_id)).map((hook) => pick(hook, webhookFields)),
    members_since: Membership.filter(
      ({ user_id, role, team_id, created_at }) =>
        hostOf.has(team_id) && role !== 'CUSTOMER' && user_id !== userId && isWithin(created_at),
    ).map((member) => pick(member, ['team_id', 'user_id', 'role', 'state', 'created_at'])),
    log_query: stage === 'local' ? null : logQuery(stage, actor, { from, to }),
  };
};

const changeOf = ({ occurred_at, event_type, team_id, data }: Fields): Change =>
  ({
    ...{ at: occurred_at, event_type, team_id },
    ...pick(data as Fields, ['id', 'listing_id', 'master_reservation_id', 'changed']),
  }) as Change;

const byTime = (one: Change, other: Change): number => (one.at < other.at ? -1 : 1);

const countTypes = (changes: readonly Change[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { event_type } of changes) countOne(counts, event_type);
  return counts;
};

/** Returns the query of the gateway's access log. Logs Insights takes seconds, and returns at most 10,000 lines. */
export const logQuery = (
  stage: string,
  actor: string,
  { from, to }: { from: string; to: string },
): NonNullable<ActorHistory['log_query']> => ({
  log_group: `/nightlatch/${stage}/access`,
  start_time: Math.floor(Date.parse(from) / 1000),
  end_time: Math.ceil(Date.parse(to) / 1000),
  query: `fields time, method, path, status, address, user_agent, request_id | filter caller = "${actor}" | sort @timestamp asc | limit 10000`,
});
