import type { Dependencies } from '../../platform/context.ts';
import { instantText } from '../../platform/clock.ts';
import type { EventMessage } from '../../platform/events/index.ts';
import { commitOnce } from '../../platform/events/handle-once.ts';
import { create, untilWon } from '../../platform/table/index.ts';
import type { DeliveryMessage, DeliveryQueue } from './dependencies.ts';
import { type Delivery, DeliveryEntity, shardOf } from './delivery.entity.ts';
import { appendWrites, readTeamEvents } from './feed-page.ts';
import { inTurn } from './in-turn.ts';
import { isPublic, publicDataOf, type PublicMessage, teamsOfEvent, tellingTeam } from './partner-event.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import type { Subscriber } from './webhook.entity.ts';

export interface EnteringDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  deliveries: DeliveryQueue;
}

/**
 * Enters an event into the feed of its team and makes its deliveries, in one transaction and once, however often it comes
 * (D62, D62b); then each delivery is a message of its own. A process that dies in between is no loss: the event comes again and
 * brings the messages again, and a delivery that is done takes no notice.
 */
export const enterEvent = async (
  deps: EnteringDependencies,
  event: EventMessage,
  turn = inTurn,
): Promise<void> => {
  if (!isPublic(event)) return;
  const teams = teamsOfEvent(event);
  for (const team of teams) await turn(team, () => enterForTeam(deps, event, { team, teams }));
};

interface Place {
  team: number;
  teams: number[];
}

const enterForTeam = async (
  deps: EnteringDependencies,
  event: PublicMessage,
  { team, teams }: Place,
): Promise<void> => {
  const { id, event_type, occurred_at } = event;
  const data = publicDataOf(event);
  const entry = { id, event_type, occurred_at, data, ...(teams.length > 1 ? { team_ids: teams } : {}) };
  const handling = { consumer: 'webhook', event_id: id, recipient: `team:${team}` };
  const told = await untilWon(async () => {
    const { subscribers, lastPage } = await readTeamEvents(deps.table, team);
    const hearing = subscribers.filter(
      ({ event_types, team_ids }) =>
        event_types.includes(event_type) && tellingTeam(teams, team_ids) === team,
    );
    const now = deps.clock.now();
    await commitOnce(deps, handling, [
      ...appendWrites(team, lastPage, entry, now),
      ...hearing.map((subscriber) =>
        create(DeliveryEntity, deliveryOf(subscriber, { ...entry, team_id: team }, now)),
      ),
    ]);
    return hearing;
  });
  if (told.length > 0)
    await deps.deliveries.send(
      told.map(({ key_id, webhook_id }): DeliveryMessage => ({ key_id, webhook_id, event_id: id })),
    );
};

type Told = Omit<PartnerEvent, 'event_type'> & Pick<Delivery, 'event_type'>;

/** A delivery that nobody has tried yet; its body is the event as partners read it (spec 6, D62). */
export const deliveryOf = (
  { webhook_id, key_id }: Pick<Subscriber, 'webhook_id' | 'key_id'>,
  { event_type, data, id, occurred_at, team_id }: Told,
  now: number,
): Delivery => ({
  webhook_id,
  key_id,
  event_id: id,
  event_type,
  team_id,
  body: JSON.stringify({ event_type, data, id, occurred_at, team_id } satisfies Told),
  occurred_at,
  state: 'PENDING',
  attempts: [],
  tries: 0,
  due_at: now,
  shard: shardOf(id),
  claimed_until: 0,
  version: 1,
  claim: 'new',
  created_at: instantText(now),
});
