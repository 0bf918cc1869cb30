import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { equals, retryOnConflict } from '../../platform/table/index.ts';
import { findAddressee, planTeamInvitation, withdraw } from './invite.ts';
import { type Invitation, readOpenInvitations } from './invitation.store.ts';
import { changeRole, endMembership, isHost, readHosts, stateOf, type TeamHost } from './team-hosts.ts';
import { operator } from './operator.ts';
import type { HostRole } from './team.schema.ts';
import { requireTeam, TeamEntity } from './team.store.ts';
import { type Membership, readUserByEmail, type User } from './user.store.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** A member of a team with contact data. */
type Member = Pick<User, 'user_id' | 'email' | 'full_name' | 'phone' | 'language' | 'email_verified'> &
  Pick<Membership, 'role'> & { state: ReturnType<typeof stateOf> };

const memberOf = (host: TeamHost): Member => {
  const { user_id, email, full_name, phone, language, email_verified } = host.user;
  const person = { user_id, email, full_name, phone, language, email_verified };
  return { ...person, role: host.membership.role, state: stateOf(host) };
};

/** Returns the hosts of a team with e-mail, name and language, for notifications (D66). */
export const listMembers = async (
  { table }: Pick<Dependencies, 'table'>,
  teamId: number,
): Promise<Member[]> => (await readHosts(table, teamId)).map(memberOf);

/** An open invitation as the operator sees it. */
export type OpenInvitation = Pick<Invitation, 'invitation_id' | 'email' | 'role'> & { expires_at: string };

export const presentOpen = ({ invitation_id, email, role, valid_until }: Invitation): OpenInvitation => ({
  invitation_id,
  email,
  role,
  expires_at: valid_until,
});

/** Returns the open invitations of a team. */
export const listInvitations = async ({ table, clock }: Deps, teamId: number): Promise<OpenInvitation[]> =>
  (await readOpenInvitations(table, teamId, clock.now())).map(presentOpen);

interface NewMember {
  team_id: number;
  email: string;
  role: HostRole;
  /** The address of the API, where the page of the mailed link is. */
  api_url: string;
}

/**
 * Gives a host of a team another role, or invites a person (D17, D105), which the operator may do beyond the limit of its
 * owners.
 */
export const addMember = (
  { table, clock }: Deps,
  { team_id, role, api_url, ...given }: NewMember,
): Promise<{ user_id: number } | OpenInvitation> => {
  const email = normalEmail(given.email);
  const ctx = { table, clock, caller: operator };
  return retryOnConflict(async () => {
    const team = await requireTeam(table, team_id);
    const { host, leftovers } = await findAddressee(table, team_id, email);
    if (host) {
      await table.transact(changeRole(ctx, host, role).writes);
      return { user_id: host.user.user_id };
    }
    const { invitation, writes } = await planTeamInvitation(ctx, team, { email, role, api_url });
    await table.transact([...writes, ...leftovers]);
    return presentOpen(invitation);
  });
};

/** Takes a member out of a team (D17), or withdraws an invitation; access ends with the next authorizer call, within 60 seconds. */
export const removeMember = (
  { table, clock }: Deps,
  { team_id, ...given }: { team_id: number; email: string },
): Promise<{ user_id: number } | Pick<Invitation, 'invitation_id'>> => {
  const email = normalEmail(given.email);
  return retryOnConflict(async () => {
    await requireTeam(table, team_id);
    // Before the memberships: one that is accepted meanwhile is either still open here, or a membership there.
    const open = await readOpenInvitations(table, team_id, clock.now());
    const invitation = open.find((one) => one.email === email);
    const found = await readUserByEmail(table, email);
    const membership = found?.memberships.find((one) => one.team_id === team_id);
    const withdrawn = invitation ? [withdraw(invitation)] : [];
    // A customer who is invited stays a customer.
    if (membership && (isHost(membership) || !invitation)) {
      const unchanged = { when: equals('role', membership.role) };
      await table.transact([
        ...endMembership({ clock, caller: operator }, membership, unchanged),
        ...withdrawn,
      ]);
      return { user_id: membership.user_id };
    }
    if (!invitation) throw new ServiceError('NOT_FOUND', `Team ${team_id} has no member with this e-mail.`);
    await table.transact(withdrawn);
    return { invitation_id: invitation.invitation_id };
  });
};

const phoneOfOwner = async (deps: Pick<Dependencies, 'table'>, teamId: number): Promise<string> => {
  const members = await listMembers(deps, teamId);
  return members.find(({ role, phone }) => role === 'OWNER' && phone)?.phone ?? '';
};

/** Whom the guests of a team reach; '': not said. */
export interface HostContact {
  name: string;
  phone: string;
  email: string;
  /** For which mails its team has words of its own. */
  ownMails: readonly string[];
}

/** Returns the contact for guests: the team's name and its telephone number, else that of its first owner who has one. */
export const hostContact = async (
  deps: Pick<Dependencies, 'table'>,
  teamId: number,
): Promise<Pick<HostContact, 'name' | 'phone'>> => {
  const [team, phone] = await Promise.all([
    deps.table.get(TeamEntity, { team_id: teamId }),
    phoneOfOwner(deps, teamId),
  ]);
  return { name: team?.name ?? '', phone: team?.contact_phone ?? phone };
};

/** Returns the same for a mail, which no one waits for, with the address that the team has given for guests (D123). */
export const guestContact = async (
  deps: Pick<Dependencies, 'table'>,
  teamId: number,
): Promise<HostContact> => {
  const team = await deps.table.get(TeamEntity, { team_id: teamId });
  const phone = team?.contact_phone ?? (await phoneOfOwner(deps, teamId));
  const ownMails = team?.own_mails ?? [];
  return { name: team?.name ?? '', phone, email: team?.contact_email ?? '', ownMails };
};
