import * as z from 'zod';
import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import { EventEntity } from '../../platform/events/index.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { defineEntity, defineRecord, put, type RecordOf, type Table } from '../../platform/table/index.ts';
import { type User, userPartition } from './user.store.ts';

/** A partner that has asked the identity provider for an account with a password of the partner's choice (D105). */
const FirstPasswordRecord = defineRecord(() => ({
  /** In lower case. */
  email: z.string(),
  /** The caller, `key:<id>`. */
  set_by: z.string(),
}));
type FirstPassword = RecordOf<typeof FirstPasswordRecord>;

export const FirstPasswordEntity = defineEntity<FirstPassword, Pick<FirstPassword, 'email'>>({
  name: 'FirstPassword',
  meaning: 'That a partner has chosen the first password of an address.',
  patterns: ['who chose the first password of an account'],
  record: FirstPasswordRecord,
  key: { pk: 'EMAIL#{email}', sk: 'FIRST_PASSWORD' },
  example: { email: 'an@example.com' },
});

/** Writes who chooses the first password, before the account is made: the registration may be left half-way after that. */
export const noteFirstPassword = (table: Table, email: string, caller: PartnerCaller): Promise<void> =>
  table.put(put(FirstPasswordEntity, { email: normalEmail(email), set_by: callerRef(caller) }));

/** Returns who chose the first password of an address; null: the person, as far as is known here. */
export const readFirstPassword = async (table: Table, email: string): Promise<string | null> =>
  (await table.get(FirstPasswordEntity, { email: normalEmail(email) }))?.set_by ?? null;

/**
 * Whether another party chose the first password of an account. Of a record from before this was stored, whether a partner's
 * call made it: the first event of a user says so.
 */
export const hasForeignPassword = async (table: Table, user: User): Promise<boolean> => {
  if (user.first_password_by !== undefined) return user.first_password_by !== null;
  const pk = userPartition(user.user_id);
  const { items } = await table.query(EventEntity, { pk, prefix: 'EVENT#', limit: 1 });
  return items[0]?.actor.startsWith('key:') ?? false;
};
