import type { EventOf, PublicEventType } from '../../events.ts';
import { partnerData } from './partner-event.schema.ts';

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
