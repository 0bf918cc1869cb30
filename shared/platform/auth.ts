import { ServiceError } from './errors.ts';

export const roles = ['OWNER', 'MANAGER', 'STAFF', 'CUSTOMER'] as const;
export type Role = (typeof roles)[number];

/** What a host route asks of a role in the listing's team (D13). */
export type Permission = 'read' | 'operate' | 'manage';

const permissionsOf: Record<Role, readonly Permission[]> = {
  OWNER: ['read', 'operate', 'manage'],
  MANAGER: ['read', 'operate', 'manage'],
  STAFF: ['read', 'operate'],
  CUSTOMER: [],
};

/** An active membership as the authorizer knows it. */
export interface CallerMembership {
  team_id: number;
  role: Role;
}

/** A signed-in person (JWT). */
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
  /** Epoch milliseconds of the machine's time (D74): the end of the access token. */
  valid_until?: number;
}

/** A partner's back end (API key, D16). */
export interface PartnerCaller {
  kind: 'partner';
  key_id: number;
  team_ids: number[];
  collects_payment: boolean;
  rate_limit: number | null;
  /** Epoch milliseconds: the end of a key that has one. */
  valid_until?: number;
}

/** Nobody in particular: a public route. */
export interface AnonymousCaller {
  kind: 'anonymous';
}

/** The service itself: a schedule or a consumer. */
export interface SystemCaller {
  kind: 'system';
  name: string;
}

export type Caller = UserCaller | PartnerCaller | AnonymousCaller | SystemCaller;

/** How a caller is named in records: locks, idempotency, history. */
export const callerRef = (caller: Caller): string => {
  switch (caller.kind) {
    case 'user':
      return `user:${caller.user_id}`;
    case 'partner':
      return `key:${caller.key_id}`;
    case 'anonymous':
      return 'anonymous';
    case 'system':
      return `system:${caller.name}`;
  }
};

/** Whether a caller has a permission in a team (D13). Partners have none: their routes check the key's teams instead. */
export const hasPermission = (caller: Caller, permission: Permission, teamId: number): boolean => {
  if (caller.kind !== 'user') return false;
  if (caller.system_role === 'ADMIN') return true;
  const membership = caller.memberships.find((candidate) => candidate.team_id === teamId);
  return membership !== undefined && permissionsOf[membership.role].includes(permission);
};

/** Whether a caller sees what only the host side sees (D15). */
export const isHostOf = (caller: Caller, teamId: number): boolean => hasPermission(caller, 'read', teamId);

/** The acting team of a host route without a listing or booking id (D14, D73). */
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
  if (!hasPermission(caller, permission, teamId))
    throw new ServiceError('FORBIDDEN', 'Your role in this team does not allow this.');
  return teamId;
};
