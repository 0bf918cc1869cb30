import * as z from 'zod';
import {
  type EventDataOf,
  type EventOf,
  events,
  type PublicEventType,
  publicEventTypes,
} from '../../events.ts';
import { type EventData, withOptionalData } from '../../platform/events/event-row.ts';
import { exampleIds } from '../../platform/http/example-records.ts';
import type { OutgoingEvent } from '../../platform/http/openapi-webhooks.ts';
import { Id, Instant } from '../../platform/schema/schema.ts';

export const EventId = z
  .string()
  .regex(/^evt_[0-9A-Za-z]{1,60}$/, 'must be the id of an event')
  .meta({
    id: 'EventId',
    description: 'Id of an event; the same for every delivery of it.',
    examples: ['evt_mjx0d2k9c000a1b2c3'],
  });

/** The schemas of event data for partners: the id is required, all other fields are optional. */
export const partnerData = Object.fromEntries(
  publicEventTypes.map((type) => [type, withOptionalData(events[type].partners)]),
) as Record<PublicEventType, EventData>;

/** Returns the example of an event type as partners see it. */
export const partnerExampleOf = <Type extends PublicEventType>(type: Type) =>
  partnerData[type].parse(events[type].example) as Partial<EventDataOf<Type>> & { id: number };

/** What every event has. */
export const PartnerEventFrame = z
  .object({
    id: EventId,
    occurred_at: Instant,
    team_id: Id.meta({ description: 'The team of the event, one of the key.' }),
  })
  .meta({ id: 'PartnerEventFrame' });

/** The component name of an event type: `booking.checked_in` is `BookingCheckedIn`. */
const componentOf = (type: PublicEventType): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const shapeOf = <Type extends PublicEventType>(eventType: Type) => {
  const id = componentOf(eventType);
  const data = partnerData[eventType].meta({ id: `${id}Data` });
  return z.object({ event_type: z.literal(eventType), data, ...PartnerEventFrame.shape }).meta({ id });
};

/** An event as webhooks and the feed contain it (D62, D62b). */
export const PartnerEvent = z
  .discriminatedUnion('event_type', [
    shapeOf('booking.created'),
    ...publicEventTypes.filter((type) => type !== 'booking.created').map(shapeOf),
  ])
  .meta({ id: 'PartnerEvent', description: 'The same in a webhook’s body and in the feed.' });

/** The event of `POST …/test`. */
const WebhookTest = z
  .object({
    event_type: z.literal('webhook.test'),
    data: z.object({ id: Id.meta({ description: 'The webhook.' }) }).meta({ id: 'WebhookTestData' }),
    ...PartnerEventFrame.shape,
  })
  .meta({ id: 'WebhookTest', description: 'Sent when a webhook is tested, to that webhook alone.' });

/** Everything that is sent to webhooks, for the OpenAPI document. */
export const outgoingEvents = (): OutgoingEvent[] => {
  const exampleOf = (type: string, data: object) => ({
    event_type: type,
    data,
    id: exampleIds.delivery,
    occurred_at: '2027-01-20T08:00:00.000Z',
    team_id: exampleIds.team,
  });
  return [
    ...PartnerEvent.options.map((schema) => {
      const { value: type } = schema.shape.event_type;
      return {
        type,
        meaning: events[type].meaning,
        schema,
        example: exampleOf(type, partnerExampleOf(type)),
      };
    }),
    {
      type: 'webhook.test',
      meaning: 'A test of this webhook was asked for.',
      schema: WebhookTest,
      example: exampleOf('webhook.test', { id: exampleIds.webhook }),
    },
  ];
};

/** The same as a general type: the data always has the id of its record. */
export interface PartnerEvent {
  event_type: PublicEventType;
  data: { id: number } & Record<string, unknown>;
  id: string;
  /** UTC. */
  occurred_at: string;
  team_id: number;
}

export const PublicEventTypes = z.enum(publicEventTypes).meta({ id: 'EventType' });

/** An event that is published to partners. */
export type PublicEvent = EventOf<PublicEventType>;

/** Returns the part of an event's data that partners see. */
export const publicDataOf = ({ event_type, data }: PublicEvent): { id: number } =>
  partnerData[event_type].parse(data);

/** Whether an event is of a stay that another platform has sold: partners see its time taken and nothing else (D120). */
export const isForMembers = ({ data }: PublicEvent): boolean =>
  'of_platform' in data && data.of_platform === true;

/** Returns the teams of an event in a fixed order; empty if it belongs to none. */
export const teamsOfEvent = ({ team_id, data }: PublicEvent): number[] => [
  ...new Set([...(team_id === null ? [] : [team_id]), ...('team_ids' in data ? (data.team_ids ?? []) : [])]),
];

/**
 * Returns the team under which a reader with the teams `held` gets an event: the first one, so that an event of several
 * teams is delivered once.
 */
export const teamForEvent = (teams: readonly number[], held: readonly number[]): number | undefined =>
  teams.find((team) => held.includes(team));
