import { requireHostToken, type UserCaller } from '../../platform/auth.ts';
import { type Clock, instantText, machineClock } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { isTeamSignUpOn } from '../../platform/settings.ts';
import { change, create, equals, put, retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { readAccount, requireOwnAccount } from './own-account.ts';
import { requireReadableTerms, storedSettings } from './team-settings.ts';
import type { CreateTeam, TeamRecord } from './team-settings.schema.ts';
import { memberEventsOf, TeamEntity } from './team.store.ts';
import { newTeam, presentTeam } from './teams.ts';
import { tokenHash } from './token-hash.ts';
import { MembershipEntity, nextUpdate, readUser, UserEntity } from './user.store.ts';

/** Mails and listings have limits by team, so one person has few teams to send by. */
const mostTeams = 3;

/**
 * Makes a team of which the caller is the owner (D124), as an accepted invitation would have made the caller one (D105): the token
 * is one of hosts, the address verified, the password the person's own. Throws FORBIDDEN where the operator alone makes teams.
 */
export const signUpTeam = (
  ctx: Context<UserCaller>,
  { name, ...settings }: CreateTeam,
  tokenClock: Clock = machineClock,
): Promise<TeamRecord> => {
  requireHostToken(ctx.caller);
  if (!isTeamSignUpOn())
    throw new ServiceError('FORBIDDEN', 'Here the operator of the service makes teams: ask for one.');
  requireReadableTerms(storedSettings(settings));
  return retryOnConflict(async () => {
    const found = await readUser(ctx.table, ctx.caller.user_id);
    if (found?.user.status !== 'ACTIVE' || ctx.bearer === undefined) throw new ServiceError('UNAUTHORIZED');
    const { user } = found;
    const made = user.teams_made ?? 0;
    if (made >= mostTeams)
      throw new ServiceError(
        'INVALID_STATE_TRANSITION',
        `A person can make at most ${mostTeams} teams: ask the operator of the service for another.`,
      );
    await requireOwnAccount(ctx, user, await readAccount(ctx));
    const team = newTeam(ctx.clock, { ...storedSettings(settings), name, made_by: user.user_id });
    const { team_id } = team;
    const counted = { teams_made: made + 1, updated_at: nextUpdate(ctx.clock, user) };
    return ctx.commit(
      [
        create(TeamEntity, team),
        put(MembershipEntity, {
          ...{ user_id: user.user_id, team_id, role: 'OWNER', state: 'ACTIVE' },
          created_at: instantText(ctx.clock.now()),
          accepted_at: Math.floor(tokenClock.now() / 1000),
          accepted_token: tokenHash(ctx.bearer),
        }),
        change(UserEntity, user, { set: counted }, { when: equals('updated_at', user.updated_at) }),
        recordEvent(ctx, {
          subject: memberEventsOf(team_id),
          event_type: 'team.created',
          team_id,
          data: { id: team_id, team_id },
        }),
      ],
      presentTeam(team),
    );
  });
};
