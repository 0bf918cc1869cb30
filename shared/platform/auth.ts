import { ServiceError } from './errors.ts';

export const roles = ['OWNER', 'MANAGER', 'STAFF', 'CUSTOMER'] as const;
export type Role = (typeof roles)[number];

/** The permission that a host route requires in the listing's team (D13); `own` is of its keys and members (D93). */
export type Permission = 'read' | 'operate' | 'manage' | 'own';

const permissionsOf: Record<Role, readonly Permission[]> = {
  OWNER: ['read', 'operate', 'manage', 'own'],
  MANAGER: ['read', 'operate', 'manage'],
  STAFF: ['read', 'operate'],
  CUSTOMER: [],
};

/** An active membership. */
export interface CallerMembership {
  team_id: number;
  role: Role;
}

/** A user, authenticated by JWT. */
export interface UserCaller {
  kind: 'user';
  user_id: number;
  subject: string;
  email: string;
  full_name: string;
  phone: string;
  language: string;
  email_verified: boolean;
  system_role: 'USER' | 'ADMIN';
  memberships: CallerMembership[];
  /** Whether teams have another name of the person than the own (D107). */
  is_renamed?: boolean;
  /** When the access token was issued, in epoch seconds of the identity provider; absent if it does not say so. */
  issued_at?: number;
  /** Why the token has the rights of a guest alone (D106); absent: it has those of a host too. */
  guest_only?: 'APPLICATION' | 'MFA';
  /** When the access token expires, in epoch milliseconds of the system clock (D74). */
  valid_until?: number;
}

/** What a key may do (D93). `book` includes `read`; `personal` opens no operation but the personal data in answers. */
export const keyScopes = ['read', 'book', 'customers', 'webhooks', 'personal'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scope that a partner route requires. */
export type RouteScope = Exclude<KeyScope, 'personal'>;

/** A partner, authenticated by API key (D16). */
export interface PartnerCaller {
  kind: 'partner';
  key_id: number;
  team_ids: number[];
  /** Absent: all, as in an authorizer's result from before scopes that the gateway has cached. */
  scopes?: readonly KeyScope[];
  collects_payment: boolean;
  /** False: guests of its bookings get no link (D122). */
  guest_links?: false;
  rate_limit: number | null;
  /** When the key expires, in epoch milliseconds. */
  valid_until?: number;
}

/** The guest of one stay, by the link to it (D122). */
export interface GuestCaller {
  kind: 'guest';
  reservation_id: number;
  /** How often the link had been replaced. */
  version: number;
  /** From whom the link comes: a mail to the guest, a host, or the partner who made the booking. */
  from: GuestLinkSource;
}

/** Who has given a guest the link: `m` a mail, `h` a host, `p` the partner. */
export type GuestLinkSource = 'm' | 'h' | 'p';

/** A page of a team, by its publishable key (D144). */
export interface PublishableCaller {
  kind: 'publishable';
  key_id: number;
  team_id: number;
  rate_limit: number | null;
}

/** A caller of a public route. */
interface AnonymousCaller {
  kind: 'anonymous';
}

/** The service itself: a schedule or a consumer. */
export interface SystemCaller {
  kind: 'system';
  name: string;
}

export type Caller =
  | UserCaller
  | PartnerCaller
  | GuestCaller
  | PublishableCaller
  | AnonymousCaller
  | SystemCaller;

/** Returns the reference of a caller in locks, idempotency records and history. */
export const callerRef = (caller: Caller): string => {
  switch (caller.kind) {
    case 'user':
      return `user:${caller.user_id}`;
    case 'partner':
    case 'publishable':
      return `key:${caller.key_id}`;
    case 'guest':
      return `guest:${caller.reservation_id}:${caller.from}`;
    case 'anonymous':
      return 'anonymous';
    case 'system':
      return `system:${caller.name}`;
  }
};

/** Throws FORBIDDEN or MFA_REQUIRED for a token that has the rights of a guest alone (D106). */
export const requireHostToken = ({ guest_only }: UserCaller): void => {
  if (guest_only === 'MFA') throw new ServiceError('MFA_REQUIRED');
  if (guest_only)
    throw new ServiceError(
      'FORBIDDEN',
      'This token was issued to an application for guests. Sign in with the application for hosts.',
    );
};

/** Returns whether a key has a scope (D93). */
export const hasScope = ({ scopes }: Pick<PartnerCaller, 'scopes'>, scope: KeyScope): boolean =>
  scopes === undefined || scopes.includes(scope) || (scope === 'read' && scopes.includes('book'));

/** Throws FORBIDDEN if the key does not have the scope; `what` is what the scope is required for. */
export const requireScope = (caller: PartnerCaller, scope: KeyScope, what: string): void => {
  if (hasScope(caller, scope)) return;
  throw new ServiceError(
    'FORBIDDEN',
    `${what} requires the scope \`${scope}\`, which this key does not have.`,
    {
      required_scope: scope,
    },
  );
};

/**
 * Returns whether a user has a permission in a team (D13). Always false for partners: their routes check the teams of the key.
 */
export const hasPermission = (caller: Caller, permission: Permission, teamId: number): boolean => {
  if (caller.kind !== 'user') return false;
  if (caller.system_role === 'ADMIN') return true;
  const membership = caller.memberships.find((candidate) => candidate.team_id === teamId);
  return membership !== undefined && permissionsOf[membership.role].includes(permission);
};

/** Returns whether a caller sees the fields that are for hosts only (D15). */
export const isHostOf = (caller: Caller, teamId: number): boolean => hasPermission(caller, 'read', teamId);

/** Of who may see something, and belongs to its team. */
export const roleRefused = (): ServiceError =>
  new ServiceError('FORBIDDEN', 'Your role in this team does not allow this.');

/** Returns the team that a host route without a listing or booking id acts for (D14, D73). */
export const actingTeam = (caller: Caller, header: number | undefined, permission: Permission): number => {
  if (caller.kind !== 'user') throw new ServiceError('FORBIDDEN');
  const hostTeams = caller.memberships
    .filter(({ role }) => role !== 'CUSTOMER')
    .map(({ team_id }) => team_id);
  const teamId = header ?? (hostTeams.length === 1 ? hostTeams[0] : undefined);
  if (teamId === undefined) {
    if (hostTeams.length === 0 && caller.system_role !== 'ADMIN')
      throw new ServiceError('FORBIDDEN', 'You are not a host of any team.');
    const issues = [
      { path: 'X-Team-ID', message: 'X-Team-ID is required when you act for more than one team.' },
    ];
    throw new ServiceError('VALIDATION_ERROR', issues[0]?.message, { issues });
  }
  if (!hasPermission(caller, 'read', teamId))
    throw new ServiceError('FORBIDDEN', 'You are not a host of this team.');
  if (!hasPermission(caller, permission, teamId)) throw roleRefused();
  return teamId;
};
