import type { EventMessage, PublicEventType } from '../../platform/events/index.ts';
import { type PartnerEvent, partnerEventData } from './partner-event.schema.ts';

/** An event of the service that partners may hear of. */
export type PublicMessage = EventMessage & { event_type: PublicEventType };

export const isPublic = (message: EventMessage): message is PublicMessage =>
  message.event_type in partnerEventData;

/** What an event says to partners. Data of a shape that nobody has published is told by its id alone. */
export const publicDataOf = ({ event_type, data }: PublicMessage): PartnerEvent['data'] => {
  const told = partnerEventData[event_type].data.safeParse(data);
  return told.success ? told.data : { id: data.id };
};

/** The teams that an event happened to, in a fixed order; none: it concerns no team. */
export const teamsOfEvent = ({ team_id, data }: EventMessage): number[] => {
  const several: unknown = data['team_ids'];
  const named = Array.isArray(several) ? several.filter((one): one is number => typeof one === 'number') : [];
  return [...new Set([...(team_id === null ? [] : [team_id]), ...named])];
};

/**
 * The team by which whoever holds `held` is told of an event of `teams`: the first one held. So an event of several teams is
 * told once.
 */
export const tellingTeam = (teams: readonly number[], held: readonly number[]): number | undefined =>
  teams.find((team) => held.includes(team));
