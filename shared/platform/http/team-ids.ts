import * as z from 'zod';
import type { PartnerCaller } from '../auth.ts';
import { ServiceError } from '../errors.ts';
import { Id } from '../schema/schema.ts';

/** The query parameter `team_ids`: a JSON array as text. */
export const TeamIdsText = z.string().max(4096).optional().meta({
  description:
    'A JSON array of team ids as text, such as `[71,72]`; absent: all teams of the key. Other teams have nothing to show.',
});

const TeamIds = z.array(Id);

/** Returns the teams of a partner's request: the named ones that the key has, or all of the key. */
export const teamsOf = (caller: PartnerCaller, text: string | undefined): number[] => {
  if (text === undefined) return caller.team_ids;
  const named = TeamIds.safeParse(jsonOf(text));
  if (!named.success)
    throw new ServiceError(
      'EXTERNAL_INVALID_REQUEST',
      'team_ids is a JSON array of team ids, such as [1,2,3].',
    );
  return caller.team_ids.filter((team) => named.data.includes(team));
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
