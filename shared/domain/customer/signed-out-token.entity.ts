import { defineEntity } from '../../platform/table/index.ts';
import { userPartition } from './user.entity.ts';

/** A token that its bearer has logged out (D57). Only its hash is kept. */
export interface SignedOutToken {
  user_id: number;
  /** SHA-256 of the token. */
  token_hash: string;
  /** Epoch seconds until which the identity provider would let it live. */
  lives_until: number;
}

/** The provider's time does not move with the test clock (D74): the broom comes long after the token has died. */
const keptSeconds = 30 * 86_400;

/** It lies among what is read of a user anyway, so that looking for it costs no read of its own. */
export const SignedOutTokenEntity = defineEntity<
  SignedOutToken,
  Pick<SignedOutToken, 'user_id' | 'token_hash'>
>({
  name: 'SignedOutToken',
  meaning: 'A token that was logged out before its end.',
  patterns: ['was this token logged out? (read with the user, one Query)'],
  key: ({ user_id, token_hash }) => ({ pk: userPartition(user_id), sk: `SIGNED_OUT#${token_hash}` }),
  expiresAt: ({ lives_until }) => lives_until + keptSeconds,
  example: { user_id: 1, token_hash: '9f86d081884c7d65' },
});
