import { defineEntity } from '../../platform/table/index.ts';
import type { AskedMails } from './mail-allowance.ts';

/** When mails to set a new password were asked for with a key for an address, known or not (D103). */
export interface PasswordMails extends AskedMails {
  key_id: number;
  /** SHA-256 of the address, which may belong to no customer. */
  address: string;
}

const keptSeconds = 3600;

export const PasswordMailsEntity = defineEntity<PasswordMails, Pick<PasswordMails, 'key_id' | 'address'>>({
  name: 'PasswordMails',
  meaning: 'When mails to set a new password were asked for with a key for an address.',
  patterns: ['may another mail to set a new password be sent?'],
  key: ({ key_id, address }) => ({ pk: `KEY#${key_id}#PASSWORD_MAILS`, sk: address }),
  expiresAt: ({ asked_at }) => Math.ceil((asked_at.at(-1) ?? 0) / 1000) + keptSeconds,
  example: { key_id: 3, address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
});
