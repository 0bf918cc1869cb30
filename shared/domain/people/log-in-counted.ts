import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type ErrorCode, ServiceError } from '../../platform/errors.ts';
import type { IssuedTokens } from '../../platform/identity/index.ts';
import { addressDigest } from '../../platform/mail/allowance.rules.ts';
import { failedLoginLimit } from '../../platform/settings.ts';
import {
  absent,
  all,
  atLeast,
  change,
  equals,
  put,
  readOf,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import type { LoginCustomer } from './customer.schema.ts';
import { type LoginFailures, LoginFailuresEntity } from './login-failures.store.ts';
import {
  forwarded,
  isUniqueLocal,
  mayForward,
  nextLoginAt,
  oneMore,
  partnerAddress,
} from './login-limit.rules.ts';

type Ctx = Context<PartnerCaller>;

/** A login that is counted as failed until it has succeeded. */
interface Counted {
  clientIp: string;
  own?: LoginFailures;
  forwarded?: LoginFailures;
}

/**
 * Logs in at the identity provider. Failures are counted for the partner and the e-mail address, and those of logins for an
 * address that a partner names for all partners together, so that the provider locks out no person because of a partner (D10).
 * Throws RATE_LIMIT_EXCEEDED where the next try has to wait.
 */
export const logInCounted = async (ctx: Ctx, login: LoginCustomer): Promise<IssuedTokens> => {
  const counted = await retryOnConflict(() => count(ctx, login));
  const { email, password } = login;
  try {
    const tokens = await ctx.identity().passwordLogin({ email, password, clientIp: counted.clientIp });
    await settle(ctx, counted, 'RIGHT');
    return tokens;
  } catch (error) {
    await settle(ctx, counted, outcomeOf(error));
    throw error;
  }
};

type Outcome = 'RIGHT' | 'WRONG' | 'NOT_JUDGED' | 'UNKNOWN';

const outcomes: Partial<Record<ErrorCode, Outcome>> = {
  INVALID_CREDENTIALS: 'WRONG',
  EMAIL_NOT_VERIFIED: 'RIGHT',
  RATE_LIMIT_EXCEEDED: 'NOT_JUDGED',
  FORBIDDEN: 'NOT_JUDGED',
};

/** After a lost answer the provider may have counted a failure. */
const outcomeOf = (error: unknown): Outcome =>
  (error instanceof ServiceError ? outcomes[error.code] : undefined) ?? 'UNKNOWN';

/** Counts a login before it is tried, so that several at once do not pass the limit. */
const count = async (
  { table, clock, caller }: Ctx,
  { email, client_ip }: LoginCustomer,
): Promise<Counted> => {
  const now = clock.now();
  const given = client_ip !== undefined && !isUniqueLocal(client_ip) ? client_ip : undefined;
  const derived = partnerAddress(caller.key_id, email, now);
  const free = failedLoginLimit();
  if (free === null) return { clientIp: given ?? derived };
  const address = addressDigest(email);
  const ids = [
    { address, by: callerRef(caller) },
    { address, by: forwarded },
  ] as const;
  const [own, others] = await table.getAll(ids.map((one) => readOf(LoginFailuresEntity, one)));
  const next = nextLoginAt(own, free, now);
  if (next > now) throw tooMany(next - now);
  const ownNow = oneMore(ids[0], own, now);
  const isGiven = given !== undefined && mayForward(others, now);
  const othersNow = isGiven ? oneMore(ids[1], others, now) : undefined;
  await table.transact([counterWrite(ownNow, own), ...(othersNow ? [counterWrite(othersNow, others)] : [])]);
  return { clientIp: isGiven ? given : derived, own: ownNow, ...(othersNow && { forwarded: othersNow }) };
};

const counterWrite = (next: LoginFailures, before: LoginFailures | undefined): Write =>
  put(LoginFailuresEntity, next, {
    when: before ? all(equals('failures', before.failures), equals('last_at', before.last_at)) : absent(),
  });

const tooMany = (waitMs: number): ServiceError => {
  const seconds = Math.ceil(waitMs / 1000);
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `Too many logins with this e-mail address have failed: the next try is possible in ${seconds} seconds.`,
    {},
    { retryAfterSeconds: seconds },
  );
};

/** A right password ends the partner's count. What the provider has counted for a named address stays there, and here. */
const settle = async ({ table, log }: Ctx, { own, forwarded: named }: Counted, outcome: Outcome) => {
  if (!own || outcome === 'WRONG') return;
  const writes = [
    outcome === 'RIGHT' ? remove(LoginFailuresEntity, own) : oneLess(own),
    ...(named && outcome !== 'UNKNOWN' ? [oneLess(named)] : []),
  ];
  for (const write of writes)
    try {
      await table.transact([write]);
    } catch (cause) {
      log.warn('a login that did not fail stays counted', { cause: String(cause) });
    }
};

const oneLess = (counter: LoginFailures): Write =>
  change(LoginFailuresEntity, counter, { add: { failures: -1 } }, { when: atLeast('failures', 1) });
