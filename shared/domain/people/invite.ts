import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { addressDigest } from '../../platform/mail/allowance.rules.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { all, equals, put, remove, type Table, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { type Invitation, InvitationEntity, invitationEnd } from './invitation.store.ts';
import { InvitationMailsEntity, planMail } from './mail-allowance.store.ts';
import { isHost, type TeamHost } from './team-hosts.ts';
import { countAddition, memberEventsOf, type Team } from './team.store.ts';
import { MembershipEntity, readUserByEmail } from './user.store.ts';

/** Who is meant by an address in a team: a host of it, or a person to invite. */
interface Addressee {
  host?: TeamHost;
  /** Ends what an invitation from before invitations were accepted has left. */
  leftovers: Write[];
}

/** Returns whether the address is that of a host of the team. */
export const findAddressee = async (table: Table, teamId: number, email: string): Promise<Addressee> => {
  const found = await readUserByEmail(table, email);
  const membership = found?.memberships.find(({ team_id }) => team_id === teamId);
  if (!found || !isHost(membership)) return { leftovers: [] };
  if (found.user.auth0_id !== null) return { host: { membership, user: found.user }, leftovers: [] };
  return { leftovers: [remove(MembershipEntity, membership)] };
};

type Given = Pick<Invitation, 'team_id' | 'email' | 'role' | 'api_url'>;
type Inviting = Pick<Dependencies, 'table' | 'clock'> & Pick<Context, 'caller'>;

/**
 * Returns the writes of an invitation, which replaces another one of the address (D105): the record, its mail's count and the
 * event, with which the mail is sent. Throws RATE_LIMIT_EXCEEDED for the fourth of an hour.
 */
export const planInvitation = async (
  { table, clock, caller }: Inviting,
  given: Given,
): Promise<{ invitation: Invitation; writes: Write[] }> => {
  const invitation = newInvitation(clock, given, caller.kind === 'user' ? caller.user_id : null);
  const { team_id, email, invitation_id } = invitation;
  const counted = { team_id, address: addressDigest(email), kind: 'INVITATION' } as const;
  const mail = await planMail({ table, clock }, InvitationMailsEntity, counted);
  const event = recordEvent(
    { clock, caller },
    {
      subject: memberEventsOf(team_id),
      event_type: 'team.member_invited',
      team_id,
      data: { id: invitation_id, team_id },
    },
  );
  return { invitation, writes: [put(InvitationEntity, invitation), mail.write, event] };
};

/** Returns the same for a team that was read before the decision to invite: two additions at once conflict. */
export const planTeamInvitation = async (
  inviting: Inviting,
  team: Team,
  given: Omit<Given, 'team_id'>,
): Promise<{ invitation: Invitation; writes: Write[] }> => {
  const planned = await planInvitation(inviting, { ...given, team_id: team.team_id });
  return { ...planned, writes: [...planned.writes, countAddition(team, 'members_added')] };
};

/** A team that a stranger has made must not mail to many: its name and link stand in each of these mails. */
const mostOfOwners = 30;

/** Returns the write that counts an invitation by an owner. Throws RATE_LIMIT_EXCEEDED for the 31st of a team in an hour (D124). */
export const countOfOwners = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  teamId: number,
): Promise<Write> => {
  const counted = { team_id: teamId, address: '*', kind: 'INVITATION' } as const;
  return (await planMail(deps, InvitationMailsEntity, counted, mostOfOwners)).write;
};

/** Returns the write that withdraws an invitation; it conflicts if that was accepted or replaced meanwhile. */
export const withdraw = (invitation: Invitation): Write =>
  remove(InvitationEntity, invitation, {
    when: all(equals('invitation_id', invitation.invitation_id), equals('state', 'OPEN')),
  });

const newInvitation = (clock: Clock, given: Given, invitedBy: number | null): Invitation => {
  const now = clock.now();
  return {
    ...given,
    email: normalEmail(given.email),
    invitation_id: newId(clock),
    invited_by: invitedBy,
    created_at: instantText(now),
    valid_until: invitationEnd(now),
    secret_hash: null,
    state: 'OPEN',
  };
};
