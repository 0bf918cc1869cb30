import {
  InvitationEntity,
  invitationEnd,
  InvitationSecretEntity,
  secretHash,
} from '../../../shared/domain/people/model.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { exampleIds as ids, exampleInvitations } from '../../../shared/platform/http/example-records.ts';
import { put } from '../../../shared/platform/table/index.ts';
import { demoPeople } from './people.ts';

/** Open invitations whose secrets the documentation shows; the service itself stores none that it has not mailed. */
export const seedInvitations = async ({ table, clock }: Dependencies, apiUrl: string): Promise<void> => {
  const now = clock.now();
  const end = invitationEnd(now);
  const examples = [
    { team_id: ids.team, email: 'mai@example.com', secret: exampleInvitations.toRead },
    { team_id: ids.otherTeam, email: demoPeople.guest.email, secret: exampleInvitations.toAccept },
    { team_id: ids.team, email: 'my@example.com', secret: exampleInvitations.toReset },
  ];
  for (const [position, { team_id, email, secret }] of examples.entries()) {
    const hash = secretHash(secret);
    await table.transact([
      put(InvitationEntity, {
        ...{
          team_id,
          email,
          secret_hash: hash,
          valid_until: end,
          role: 'STAFF',
          state: 'OPEN',
          api_url: apiUrl,
        },
        ...{ invitation_id: ids.invitation + position, invited_by: ids.host, created_at: instantText(now) },
      }),
      put(InvitationSecretEntity, { secret_hash: hash, team_id, email, valid_until: end }),
    ]);
  }
};
