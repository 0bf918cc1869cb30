import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Dependencies } from '../../platform/context.ts';
import { addressDigest } from '../../platform/mail/allowance.rules.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import {
  absent,
  type Condition,
  defineEntity,
  defineRecord,
  equals,
  put,
  readOf,
  type RecordOf,
  retryOnConflict,
} from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { hoursAhead, nextTurn, remembered, withMail } from './mail-turn.rules.ts';

/** The mails to an address on behalf of one party, of the last day and those that wait (D110). */
const MailTurnsRecord = defineRecord(() => ({
  /** SHA-256 of the address, which may not be a customer's. */
  address: z.string(),
  /** `team:<id>`, `key:<id>` or `user:<id>`. */
  by: z.string(),
  /** When each mail was or will be sent, in epoch milliseconds, and a digest that names it; in order. */
  turns: z.array(z.object({ at: z.int(), mail: z.string() })),
  version: z.int(),
}));
type MailTurns = RecordOf<typeof MailTurnsRecord>;

const keptMs = 25 * hourMs;

export const MailTurnsEntity = defineEntity<MailTurns, Pick<MailTurns, 'address' | 'by'>>({
  name: 'MailTurns',
  meaning:
    'When an address that has not verified itself is sent mails on behalf of a team, a key or a guest.',
  patterns: ['when may the next mail be sent to this address?'],
  record: MailTurnsRecord,
  key: { pk: 'MAILS#{address}', sk: '{by}' },
  expiresAt: ({ turns }) => Math.ceil(((turns.at(-1)?.at ?? 0) + keptMs) / 1000),
  example: { address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', by: 'key:3' },
});

/** How many of these mails a key has in this hour and those to come (D110). */
const KeyMailsRecord = defineRecord(() => ({
  key_id: z.int(),
  /** Hours since 1970. */
  hours: z.array(z.object({ hour: z.int(), mails: z.int() })),
  version: z.int(),
}));
type KeyMails = RecordOf<typeof KeyMailsRecord>;

const keyKeptSeconds = 2 * 3600;

export const KeyMailsEntity = defineEntity<KeyMails, Pick<KeyMails, 'key_id'>>({
  name: 'KeyMails',
  meaning:
    'How many mails a key has sent in this hour, and those that wait, to addresses that have not verified themselves.',
  patterns: ['when may the next mail of this key be sent?'],
  record: KeyMailsRecord,
  key: { pk: 'KEY#{key_id}#MAILS', sk: 'HOURS' },
  expiresAt: ({ hours }) => Math.max(0, ...hours.map(({ hour }) => hour)) * 3600 + keyKeptSeconds,
  example: { key_id: 3 },
});

/** A mail that counts. */
interface CountedMail {
  /** Names the mail among those to its address. */
  once: string;
  email: string;
  /** On whose behalf it is sent (`partiesOf`). */
  by: readonly string[];
}

/** Both start at 0. */
const unchanged = (version: number): Condition => (version === 0 ? absent() : equals('version', version));

/**
 * Gives a mail its turn, once however often it is asked for: now, or when the limits allow it (D110). Returns the turn in epoch
 * milliseconds; undefined if there is none within a day.
 */
export const takeTurn = (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { once, email, by }: CountedMail,
): Promise<number | undefined> =>
  retryOnConflict(async () => {
    const now = clock.now();
    const mail = createHash('sha256').update(once).digest('base64url').slice(0, 11);
    const address = addressDigest(normalEmail(email));
    const keyIds = by.flatMap((party) => (party.startsWith('key:') ? [Number(party.slice(4))] : []));
    const [found, [ofKey]] = await table.getGroups([
      by.map((party) => readOf(MailTurnsEntity, { address, by: party })),
      keyIds.map((keyId) => readOf(KeyMailsEntity, { key_id: keyId })),
    ]);
    const items = by.map((party, at) => {
      const { turns, version } = found[at] ?? { turns: [], version: 0 };
      return { address, by: party, turns: remembered(turns, now), version };
    });
    const given = items.flatMap(({ turns }) => turns).find((turn) => turn.mail === mail);
    if (given) return given.at;
    const [keyId] = keyIds;
    const hours = keyId === undefined ? undefined : hoursAhead(ofKey?.hours ?? [], now);
    const at = nextTurn(
      items.map(({ turns }) => turns),
      hours,
      now,
    );
    if (at === undefined) return undefined;
    const turns = (before: MailTurns['turns']) =>
      [...before, { at, mail }].sort((one, other) => one.at - other.at);
    await table.transact([
      ...items.map((item) =>
        put(
          MailTurnsEntity,
          { ...item, turns: turns(item.turns), version: item.version + 1 },
          { when: unchanged(item.version) },
        ),
      ),
      ...(keyId === undefined || !hours
        ? []
        : [
            put(
              KeyMailsEntity,
              { key_id: keyId, hours: withMail(hours, at), version: (ofKey?.version ?? 0) + 1 },
              { when: unchanged(ofKey?.version ?? 0) },
            ),
          ]),
    ]);
    return at;
  });
