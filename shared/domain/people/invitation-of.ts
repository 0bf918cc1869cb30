import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Table } from '../../platform/table/index.ts';
import {
  type Invitation,
  InvitationEntity,
  InvitationSecretEntity,
  isOpen,
  secretHash,
} from './invitation.store.ts';
import { TeamEntity } from './team.store.ts';

export const noInvitation = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'This invitation does not exist, or is no longer open.');

/** Returns the invitation whose last mailed secret this is, in any state. */
export const findInvitation = async (table: Table, secret: string): Promise<Invitation | undefined> => {
  const hash = secretHash(secret);
  const found = await table.get(InvitationSecretEntity, { secret_hash: hash });
  const invitation = found && (await table.get(InvitationEntity, found));
  return invitation?.secret_hash === hash ? invitation : undefined;
};

/** Returns the open invitation of a secret, or throws NOT_FOUND. */
export const requireOpenInvitation = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  secret: string,
): Promise<Invitation> => {
  const invitation = await findInvitation(table, secret);
  if (!invitation || !isOpen(invitation, clock.now())) throw noInvitation();
  return invitation;
};

/** Returns the name of the team that an invitation is to; null: the platform's staff. Throws NOT_FOUND if the team is gone. */
export const teamNameOf = async (
  table: Table,
  { team_id }: Pick<Invitation, 'team_id'>,
): Promise<string | null> => {
  if (team_id === null) return null;
  const team = await table.get(TeamEntity, { team_id });
  if (!team) throw noInvitation();
  return team.name;
};
