import type { Dependencies } from '../../platform/context.ts';
import { all, change, ConflictError, equals, put, type Table } from '../../platform/table/index.ts';
import {
  type Invitation,
  InvitationEntity,
  InvitationSecretEntity,
  newInvitationSecret,
  readOpenInvitations,
  secretHash,
} from './invitation.store.ts';

/** Returns an invitation by its id while it is open. */
export const readInvitation = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { id, team_id }: { id: number; team_id: number | null },
): Promise<Invitation | undefined> =>
  (await readOpenInvitations(table, team_id, clock.now())).find(({ invitation_id }) => invitation_id === id);

/**
 * Returns a new secret of an invitation, for the mail with its link: only its hash is stored, and the one before ends (D105).
 * Undefined if the invitation was replaced, withdrawn or accepted meanwhile.
 */
export const renewSecret = async (table: Table, invitation: Invitation): Promise<string | undefined> => {
  const { team_id, email, invitation_id, valid_until } = invitation;
  const secret = newInvitationSecret();
  const hash = secretHash(secret);
  const isSame = all(equals('invitation_id', invitation_id), equals('state', 'OPEN'));
  try {
    await table.transact([
      change(InvitationEntity, invitation, { set: { secret_hash: hash } }, { when: isSame }),
      put(InvitationSecretEntity, { secret_hash: hash, team_id, email, valid_until }),
    ]);
    return secret;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
};
