import { defineEntity } from '../../platform/table/index.ts';
import type { AskedMails } from './mail-allowance.ts';
import { userPartition } from './user.entity.ts';

/** When verification mails of a user were asked for (D55). */
export interface VerificationMails extends AskedMails {
  user_id: number;
}

const keptSeconds = 3600;

export const VerificationMailsEntity = defineEntity<VerificationMails, Pick<VerificationMails, 'user_id'>>({
  name: 'VerificationMails',
  meaning: 'When verification mails of a user were asked for again.',
  patterns: ['may another verification mail be sent?'],
  key: ({ user_id }) => ({ pk: userPartition(user_id), sk: 'VERIFICATION_MAILS' }),
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + keptSeconds,
  example: { user_id: 1 },
});
