import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import {
  authenticateKey,
  findOrCreateUser,
  isLoggedOut,
  tokenHash,
  withFreshVerification,
} from '../../shared/domain/people/index.ts';
import {
  type AccountClaims,
  adminAcceptance,
  hasAccepted,
  namesOf,
  type PresentedToken,
  type UserWithTeams,
} from '../../shared/domain/people/model.ts';
import { callerRef, type UserCaller } from '../../shared/platform/auth.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { callerAddress, type EdgeSecret } from '../../shared/platform/http/caller-address.ts';
import { headerOf } from '../../shared/platform/http/header.ts';
import type { TokenClaims, TokenVerifier } from '../../shared/platform/identity/index.ts';
import type { Secret } from '../../shared/platform/secrets/index.ts';
import { guestOnly, type HostAccess } from './host-access.ts';
import { allow, deny, partnerPath } from './policy.ts';

interface AuthorizerDependencies {
  deps: Dependencies;
  verify: TokenVerifier;
  stage: string;
  hosts: HostAccess;
  /** The secret of CloudFront, if it is before the gateway. */
  edge?: Secret<EdgeSecret> | undefined;
}

type Event = APIGatewayRequestAuthorizerEvent;
export type Authorize = (event: Event) => Promise<APIGatewayAuthorizerResult>;

/**
 * Who is calling: a partner by key on external routes, a person by token on all others. An unknown caller is `Unauthorized`,
 * the word that the gateway takes for 401; a provider or table that is down fails as it is.
 */
export const authorize =
  ({ deps, verify, stage, hosts, edge }: AuthorizerDependencies): Authorize =>
  async (event) => {
    try {
      const caller = event.resource.startsWith(partnerPath)
        ? await authenticateKey(deps, {
            text: headerOf(event, 'X-API-Key') ?? '',
            address: () => callerAddress(event, edge),
            stage,
          })
        : await personOf({ deps, verify, hosts }, bearerOf(event));
      return allow(event.methodArn, callerRef(caller), caller);
    } catch (error) {
      return refused(deps, event, error);
    }
  };

const refused = (deps: Dependencies, event: Event, error: unknown): APIGatewayAuthorizerResult => {
  const { requestId } = event.requestContext;
  if (error instanceof ServiceError && error.code === 'FORBIDDEN') return deny(event.methodArn, error);
  if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') {
    deps.log.info('refused', {
      requestId,
      cause: error.cause instanceof Error ? error.cause.name : undefined,
    });
    throw new Error('Unauthorized');
  }
  deps.log.error('authorizer failed', {
    requestId,
    cause: error instanceof Error ? error.stack : String(error),
  });
  throw error;
};

const personOf = async (
  { deps, verify, hosts }: Pick<AuthorizerDependencies, 'deps' | 'verify' | 'hosts'>,
  token: string,
): Promise<UserCaller> => {
  const { subject, claims } = await verify(token);
  const found = await findOrCreateUser(deps, subject);
  if (isLoggedOut(found, token)) throw new ServiceError('UNAUTHORIZED', 'This token was logged out.');
  // The caller of a token without the verified claim was mostly verified a moment ago.
  const presented = { issued_at: claims.iat ?? 0, hash: tokenHash(token) };
  const caller = userCaller(
    subject,
    await withFreshVerification(deps, found, accountClaims(claims)),
    presented,
  );
  const guest_only = guestOnly(claims, hosts);
  return {
    ...caller,
    ...(guest_only && { guest_only, system_role: 'USER', memberships: [] }),
    ...(claims.iat !== undefined && { issued_at: claims.iat }),
    valid_until: claims.exp * 1000,
  };
};

/** Claims of another kind say nothing. */
const accountClaims = ({ iat, email, email_verified: verified }: TokenClaims): AccountClaims => ({
  iat,
  ...(typeof email === 'string' && { email }),
  ...(typeof verified === 'boolean' && { email_verified: verified }),
});

/**
 * The caller without memberships that give no right: a customer may be one of many teams, and rights are those that the token
 * has accepted, or that were accepted before it was issued (D105).
 */
const userCaller = (subject: string, found: UserWithTeams, token: PresentedToken): UserCaller => {
  const { user, memberships } = found;
  const { status, user_id, email, full_name, phone, language, email_verified } = user;
  if (status !== 'ACTIVE') throw new ServiceError('UNAUTHORIZED');
  const system_role = hasAccepted(adminAcceptance(user), token) ? user.system_role : 'USER';
  const person = { user_id, subject, email, full_name, phone, language, email_verified, system_role };
  const active = memberships.filter(
    (membership) =>
      membership.state === 'ACTIVE' && membership.role !== 'CUSTOMER' && hasAccepted(membership, token),
  );
  return {
    kind: 'user',
    ...person,
    memberships: active.map(({ team_id, role }) => ({ team_id, role })),
    ...(namesOf(found).size > 0 && { is_renamed: true }),
  };
};

const bearerOf = (event: Event): string => {
  const [, token] = /^Bearer +(\S+)$/i.exec(headerOf(event, 'Authorization') ?? '') ?? [];
  if (token === undefined) throw new ServiceError('UNAUTHORIZED');
  return token;
};
