import * as z from 'zod';
import {
  type EventDataOf,
  type EventOf,
  events,
  type PublicEventType,
  publicEventTypes,
} from '../../events.ts';
import { type EventData, withOptionalData } from '../../platform/events/event-row.ts';
import { Id, Instant } from '../../platform/schema.ts';

export const EventId = z
  .string()
  .regex(/^evt_[0-9A-Za-z]{1,60}$/, 'must be the id of an event')
  .meta({
    description: 'Id of an event; the same however often it comes.',
    examples: ['evt_mjx0d2k9c000a1b2c3'],
  });

/** What partners see of an event's data: its id always, the rest where the event has it. */
export const partnerData = Object.fromEntries(
  publicEventTypes.map((type) => [type, withOptionalData(events[type].partners)]),
) as Record<PublicEventType, EventData>;

/** The example of an event type, as partners see it. */
export const partnerExampleOf = <Type extends PublicEventType>(type: Type) =>
  partnerData[type].parse(events[type].example) as Partial<EventDataOf<Type>> & { id: number };

const frame = {
  id: EventId,
  occurred_at: Instant,
  team_id: Id.meta({ description: 'The team that it happened to, one of the key.' }),
};

/** The component name of an event type: `booking.checked_in` is `BookingCheckedIn`. */
const componentOf = (type: PublicEventType): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const shapeOf = <Type extends PublicEventType>(event_type: Type) => {
  const id = componentOf(event_type);
  const data = partnerData[event_type].meta({
    id: `${id}Data`,
    examples: [partnerExampleOf(event_type)],
  });
  return z.object({ event_type: z.literal(event_type), data, ...frame }).meta({ id });
};

/** An event as webhooks and the feed tell it (D62, D62b). */
export const PartnerEvent = z
  .discriminatedUnion('event_type', [
    shapeOf('booking.created'),
    ...publicEventTypes.filter((type) => type !== 'booking.created').map(shapeOf),
  ])
  .meta({ id: 'PartnerEvent', description: 'The same in a webhook’s body and in the feed.' });

/** The same as types see it: whatever the data, it has the id of its record. */
export interface PartnerEvent {
  event_type: PublicEventType;
  data: { id: number } & Record<string, unknown>;
  id: string;
  /** UTC. */
  occurred_at: string;
  team_id: number;
}

export const PublicEventTypes = z.enum(publicEventTypes);

/** An event of the service that partners see. */
export type PublicEvent = EventOf<PublicEventType>;

/** What partners see of an event's data. */
export const publicDataOf = ({ event_type, data }: PublicEvent): { id: number } =>
  partnerData[event_type].parse(data);

/** The teams that an event happened to, in a fixed order; none: it concerns no team. */
export const teamsOfEvent = ({ team_id, data }: PublicEvent): number[] => [
  ...new Set([...(team_id === null ? [] : [team_id]), ...('team_ids' in data ? (data.team_ids ?? []) : [])]),
];

/**
 * The team by which whoever holds `held` is told of an event of `teams`: the first one held. So an event of several teams is
 * told once.
 */
export const teamForEvent = (teams: readonly number[], held: readonly number[]): number | undefined =>
  teams.find((team) => held.includes(team));
