import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';

/** Failed logins with an e-mail address, and logins under way, which may fail (D10). */
const LoginFailuresRecord = defineRecord(() => ({
  /** SHA-256 of the address, which may not be a customer's. */
  address: z.string(),
  /** `key:<partner id>`; `client_ip`: those of all partners that the provider counted for an address of the partner's choice. */
  by: z.string(),
  failures: z.int(),
  /** Epoch milliseconds. */
  last_at: z.int(),
}));
export type LoginFailures = RecordOf<typeof LoginFailuresRecord>;

/** As long as Auth0 remembers a failed login. */
export const providerForgetsMs = 30 * dayMs;

export const LoginFailuresEntity = defineEntity<LoginFailures, Pick<LoginFailures, 'address' | 'by'>>({
  name: 'LoginFailures',
  meaning: 'How often logins with an e-mail address have failed.',
  patterns: ['may a login be tried, and with which address of the client?'],
  record: LoginFailuresRecord,
  key: { pk: 'LOGIN#{address}', sk: '{by}' },
  expiresAt: ({ last_at }) => Math.ceil((last_at + providerForgetsMs) / 1000),
  example: { address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', by: 'key:3' },
});
