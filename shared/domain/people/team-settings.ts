import { isDeepStrictEqual } from 'node:util';
import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { all, change, type Condition, equals, lacks, retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { termsIssues } from '../listing/model.ts';
import { whileOwner } from './team-owner.ts';
import type { TeamRecord, UpdateTeam } from './team-settings.schema.ts';
import { memberEventsOf, requireTeam, type Team, TeamEntity } from './team.store.ts';
import { presentTeam } from './teams.ts';

type Ctx = Context<UserCaller>;
type Settings = Omit<UpdateTeam, 'name'>;
type StoredSettings = Pick<Team, keyof Settings>;

/** Returns the acting team with its settings, to every host of it (D124). */
export const getTeam = async (ctx: Ctx): Promise<TeamRecord> =>
  presentTeam(await requireTeam(ctx.table, actingTeam(ctx.caller, ctx.teamHeader, 'read')));

/** Returns the settings as stored: one that is null is absent. */
export const storedSettings = (settings: Settings): StoredSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));

/** Throws VALIDATION_ERROR for a text of terms that new listings could not be made with. */
export const requireReadableTerms = (
  team: Pick<Team, 'default_refund_rule' | 'default_cancellation_terms'>,
): void => {
  const { default_refund_rule: text = '', default_cancellation_terms: steps = null } = team;
  const issues = termsIssues({ refund_rule: text, cancellation_terms: steps });
  if (issues.length > 0)
    throw invalid(...issues.map(({ path, message }) => ({ path: `default_${path}`, message })));
};

const terms = ['default_refund_rule', 'default_cancellation_terms'] as const;

/** A text may be any while there are steps: each of the two is judged by the other. */
const sameTerms = (team: Team): Condition =>
  all(...terms.map((name) => (team[name] === undefined ? lacks(name) : equals(name, team[name]))));

/**
 * Changes the settings that are given of the acting team (D124): others are not written, so changes of different ones at once
 * both stand. No listing that exists changes with them.
 */
export const changeTeam = (ctx: Ctx, input: UpdateTeam): Promise<TeamRecord> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'own');
  return retryOnConflict(async () => {
    const team = await requireTeam(ctx.table, teamId);
    const shown = presentTeam(team);
    const changed = Object.keys(input).filter(
      (name) => !isDeepStrictEqual(input[name as keyof UpdateTeam], shown[name as keyof UpdateTeam]),
    );
    if (changed.length === 0) return shown;
    const set: Partial<Team> = Object.fromEntries(
      changed.map((name) => [name, input[name as keyof UpdateTeam] ?? undefined]),
    );
    const isOfTerms = terms.some((name) => name in set);
    if (isOfTerms) requireReadableTerms({ ...team, ...set });
    return ctx.commit(
      [
        change(TeamEntity, { team_id: teamId }, { set }, isOfTerms ? { when: sameTerms(team) } : undefined),
        recordEvent(ctx, {
          subject: memberEventsOf(teamId),
          event_type: 'team.updated',
          team_id: teamId,
          data: { id: teamId, team_id: teamId, changed },
        }),
        ...whileOwner(ctx, teamId),
      ],
      { ...shown, ...input },
    );
  });
};
