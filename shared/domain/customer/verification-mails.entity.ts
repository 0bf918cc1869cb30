import { defineEntity } from '../../platform/table/index.ts';
import { userPartition } from './user.entity.ts';

/** When verification mails were asked for, so that there are at most three an hour (D55). */
export interface VerificationMails {
  user_id: number;
  /** Epoch milliseconds, oldest first; of the last hour. */
  asked_at: number[];
  version: number;
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
