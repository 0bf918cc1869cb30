import { randomBytes } from 'node:crypto';
import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { stillSigning } from '../../platform/secrets/overlap.ts';
import {
  absent,
  equals,
  present,
  put,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { whileOwner } from '../people/index.ts';
import { memberEventsOf } from '../people/model.ts';
import type { ReportProvider, SetReports, TransferReports } from './bank-transfer.schema.ts';
import {
  placeOfKey,
  type ReportKey,
  ReportKeyEntity,
  secretsOf,
  type StoredSecret,
} from './report-key.entity.ts';

type Ctx = Context<UserCaller>;

type ReportIds = { team_id: number; provider: ReportProvider };

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Has a reporter's signed reports on the accounts of the acting team taken from now on; the keys before sign for 24 hours, or no longer (D149). */
export const setReports = async (
  ctx: Ctx,
  provider: ReportProvider,
  { secret = newSecret(), end_old_secret: isLeaked = false }: SetReports,
  apiUrl: string,
): Promise<TransferReports> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'own');
  if (provider === 'standard' && !/^whsec_[A-Za-z0-9+/]{24,}={0,2}$/.test(secret))
    throw invalid({ path: 'secret', message: 'must be "whsec_" and at least 24 characters of base64' });
  const ids = { team_id: teamId, provider };
  const sealed = await ctx.sealing().seal(secret, placeOfKey(ids));
  return retryOnConflict(async () => {
    const before = await ctx.table.get(ReportKeyEntity, ids);
    const now = ctx.clock.now();
    const old = isLeaked || !before ? [] : stillSigning(await othersThan(ctx, before, secret), now);
    const key = {
      ...{ ...ids, sealed, created_at: instantText(now) },
      ...(old.length === 0 ? {} : { old_secrets: old }),
    };
    const [last] = old;
    return ctx.commit(
      [
        // Each key is encrypted differently: of two owners at once both keys sign, and one that was removed does not come back.
        put(ReportKeyEntity, key, { when: before ? equals('sealed', before.sealed) : absent() }),
        reportsChanged(ctx, ids, true),
        ...whileOwner(ctx, teamId),
      ],
      {
        ...{ provider, secret, url: `${apiUrl}/api/v1/payments/bank-transfers/${provider}/${teamId}` },
        old_secret_signs_until: last ? instantText(last.signs_until) : null,
      },
    );
  });
};

/** Returns the keys of a reporter but for the one that is given again. */
const othersThan = async ({ sealing }: Ctx, key: ReportKey, secret: string): Promise<StoredSecret[]> => {
  const opened = await Promise.all(
    secretsOf(key).map(async (one) => ({ one, text: await sealing().open(one.sealed, placeOfKey(key)) })),
  );
  return opened.flatMap(({ one, text }) => (text?.toString() === secret ? [] : [one]));
};

const reportsChanged = (ctx: Ctx, { team_id: teamId, provider }: ReportIds, isTaken: boolean): Write =>
  recordEvent(ctx, {
    subject: memberEventsOf(teamId),
    event_type: 'team.transfer_reports_changed',
    team_id: teamId,
    data: { id: teamId, team_id: teamId, reporter: provider, is_taken: isTaken },
  });

/** Takes no reports of a reporter any more. Throws NOT_FOUND if none were. */
export const removeReports = async (
  ctx: Ctx,
  provider: ReportProvider,
): Promise<{ message: string; id: number }> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'own');
  const ids = { team_id: teamId, provider };
  const onConflict = () => new ServiceError('NOT_FOUND', 'The team takes no reports of this provider.');
  return ctx.commit(
    [
      remove(ReportKeyEntity, ids, { when: present(), onConflict }),
      reportsChanged(ctx, ids, false),
      ...whileOwner(ctx, teamId),
    ],
    { message: 'Reports removed.', id: teamId },
  );
};
