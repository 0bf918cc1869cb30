import { actingTeam, keyScopes, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import {
  all,
  change,
  equals,
  paginate,
  readOf,
  remove,
  retryOnConflict,
  type Table,
} from '../../platform/table/index.ts';
import {
  type ApiKey,
  ApiKeyEntity,
  createKeyItems,
  isExpired,
  kindOf,
  readKeyByHash,
  TeamKeyEntity,
  teamKeys,
} from './key.store.ts';
import { keyCreated, keyRotated, newKey, planRotation, requireFuture } from './keys.ts';
import type { CreateTeamKey, IssuedTeamKey, RotatedTeamKey, TeamKey } from './team-key.schema.ts';
import { whileOwner } from './team-owner.ts';
import { countAddition, requireTeam } from './team.store.ts';

type Ctx = Context<UserCaller>;

/** Each key has a rate limit of its own, so a team's keys are limited too. Rotated ones share that of the first. */
const mostValidKeys = 25;
const overlapHours = 24;

const ownedTeam = (ctx: Ctx): number => actingTeam(ctx.caller, ctx.teamHeader, 'own');

/** Returns a key as the owners of its team see it; the ids of its other teams are not theirs. */
const presentKey = ({ clock }: Pick<Dependencies, 'clock'>, key: ApiKey): TeamKey => ({
  key_id: key.key_id,
  partner_key_id: key.partner_key_id,
  name: key.name,
  ...kindOf(key),
  api_key: key.publishable?.text ?? null,
  scopes: key.scopes ?? [...keyScopes],
  hint: key.hint,
  state: key.state === 'ACTIVE' && isExpired(key, clock.now()) ? 'EXPIRED' : key.state,
  is_shared: isShared(key),
  expires_at: key.valid_until,
  allow_ip: key.allow_ip,
  rate_limit: key.rate_limit,
  collects_payment: key.collects_payment,
  guest_links: key.guest_links ?? true,
  created_at: key.created_at,
  created_by: key.created_by ?? null,
  revoked_at: key.revoked_at,
  revoked_by: key.revoked_by ?? null,
  last_used: key.last_used,
});

const isShared = ({ team_ids }: ApiKey): boolean => team_ids.length > 1;

/** Returns the keys of the acting team, newest first (D93). */
export const listTeamKeys = async (ctx: Ctx, paging: PagingQuery): Promise<PageOf<TeamKey>> => {
  const source = { ...teamKeys(ownedTeam(ctx)), descending: true };
  const page = await paginate(ctx.table, TeamKeyEntity, source, paging);
  const keys = await ctx.table.getAll(page.items.map(({ hash }) => readOf(ApiKeyEntity, { hash })));
  return { ...page, items: keys.flatMap((key) => (key ? [presentKey(ctx, key)] : [])) };
};

/** Makes a key of the acting team (D93). */
export const createTeamKey = async (
  ctx: Ctx,
  stage: string,
  { kind: _, scopes = [], ...input }: CreateTeamKey,
): Promise<IssuedTeamKey> => {
  const teamId = ownedTeam(ctx);
  requireFuture(ctx.clock, input.expires_at);
  return retryOnConflict(async () => {
    const team = await requireTeam(ctx.table, teamId);
    await requireRoom(ctx, teamId);
    const { key, api_key } = newKey(ctx.clock, stage, {
      ...input,
      scopes,
      team_ids: [teamId],
      rate_limit: null,
      collects_payment: false,
      created_by: ctx.caller.user_id,
    });
    return ctx.commit(
      [
        ...createKeyItems(key),
        countAddition(team, 'keys_made'),
        keyCreated(ctx, teamId, key),
        ...whileOwner(ctx, teamId),
      ],
      {
        ...presentKey(ctx, key),
        api_key,
      },
    );
  });
};

const requireRoom = async ({ table, clock }: Pick<Ctx, 'table' | 'clock'>, teamId: number): Promise<void> => {
  const listed = await table.queryAll(TeamKeyEntity, teamKeys(teamId));
  const keys = await table.getAll(listed.map(({ hash }) => readOf(ApiKeyEntity, { hash })));
  const valid = keys.filter((key) => key?.state === 'ACTIVE' && !isExpired(key, clock.now()));
  const partners = new Set(valid.map((key) => key?.partner_key_id));
  if (partners.size >= mostValidKeys)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      `A team can have at most ${mostValidKeys} valid keys: revoke one first.`,
    );
};

/** Makes a key with the settings of another of the team, which stays valid for 24 hours (D93). */
export const rotateTeamKey = (ctx: Ctx, stage: string, keyId: number): Promise<RotatedTeamKey> => {
  const teamId = ownedTeam(ctx);
  return retryOnConflict(async () => {
    const old = await requireTeamKey(ctx.table, teamId, keyId);
    if (isShared(old))
      throw new ServiceError(
        'FORBIDDEN',
        'This key is also for other teams: only the operator rotates it. You may take your team out of it with DELETE.',
      );
    const by = ctx.caller.user_id;
    const { key, rotated, writes } = planRotation(ctx.clock, stage, { old, overlapHours, by });
    const shown = { ...presentKey(ctx, key), ...rotated };
    const told = keyRotated(ctx, teamId, rotated);
    return ctx.commit([...writes, told, ...whileOwner(ctx, teamId)], shown);
  });
};

/**
 * Revokes a key of the acting team; one that is also for other teams loses this team and stays theirs (D93). It is refused
 * everywhere within 60 seconds.
 */
export const revokeTeamKey = (ctx: Ctx, keyId: number): Promise<{ message: string; id: number }> => {
  const teamId = ownedTeam(ctx);
  const revoked = { message: 'The key is revoked.', id: keyId };
  return retryOnConflict(async () => {
    const key = await requireTeamKey(ctx.table, teamId, keyId);
    if (key.state === 'REVOKED') return revoked;
    const when = all(equals('state', 'ACTIVE'), equals('team_ids', key.team_ids));
    if (isShared(key)) {
      const set = { team_ids: key.team_ids.filter((team) => team !== teamId) };
      return ctx.commit(
        [
          change(ApiKeyEntity, key, { set }, { when }),
          remove(TeamKeyEntity, { team_id: teamId, key_id: keyId }),
          ...whileOwner(ctx, teamId),
        ],
        { message: 'The key is no longer for your team; it stays valid for its other teams.', id: keyId },
      );
    }
    const set = {
      state: 'REVOKED',
      revoked_at: instantText(ctx.clock.now()),
      revoked_by: ctx.caller.user_id,
    } as const;
    return ctx.commit([change(ApiKeyEntity, key, { set }, { when }), ...whileOwner(ctx, teamId)], revoked);
  });
};

const requireTeamKey = async (table: Table, teamId: number, keyId: number): Promise<ApiKey> => {
  const listed = await table.get(TeamKeyEntity, { team_id: teamId, key_id: keyId });
  const key = listed && (await readKeyByHash(table, listed.hash));
  if (!key?.team_ids.includes(teamId)) throw new ServiceError('NOT_FOUND', 'Your team has no such key.');
  return key;
};
