import { useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import type { Fields } from './fields.ts';

/** What is typed stays in the tab until it is sent: over a sign-in, a reload, and a telephone that ends the tab. */
const prefix = 'draft:';
const sentPrefix = 'sent:';
/** The service keeps the answer to a key for a day: what was sent before is not sent again under it. */
const sentMs = 23 * 3_600_000;

export type { Fields } from './fields.ts';

/** What was sent without an answer: whether it was done is not known. */
interface Sent {
  key: string;
  body: string;
  at: number;
}

export interface Draft {
  /** What was typed. */
  typed: Fields;
  change: (name: string, value: string) => void;
  /** When it was sent without an answer, in epoch milliseconds. */
  unsureSince: number | undefined;
  /** Returns the Idempotency-Key of what is sent: the same for the same fields until an answer has come. */
  sending: (fields: Fields) => string;
  /** An answer has come: what is sent next is another thing. */
  answered: () => void;
  /** It was done: what was typed meanwhile stays. */
  done: (fields: Fields) => void;
  /** Forgets what was typed, and what was sent without an answer. */
  discard: () => void;
}

const now = (): number => Temporal.Now.instant().epochMilliseconds;

const read = (name: string): unknown => JSON.parse(sessionStorage.getItem(name) ?? 'null');

const typedIn = (name: string): Fields => (read(prefix + name) as Fields | null) ?? {};

const sentOf = (name: string): Sent | undefined => {
  const sent = read(sentPrefix + name) as Sent | null;
  return sent && now() - sent.at < sentMs ? sent : undefined;
};

/** Types into a form before it is opened. */
export const typeDraft = (name: string, fields: Fields): void =>
  sessionStorage.setItem(prefix + name, JSON.stringify(fields));

/** The draft of a form; `name` begins with what it is about, such as `booking 4711`. */
export const useDraft = (name: string): Draft => {
  const [typed, setTyped] = useState(() => typedIn(name));
  const answered = (): void => sessionStorage.removeItem(sentPrefix + name);
  const write = (fields: Fields): void => {
    typeDraft(name, fields);
    setTyped(fields);
  };
  return {
    typed,
    change: (field, value) => write({ ...typedIn(name), [field]: value }),
    unsureSince: sentOf(name)?.at,
    sending: (fields) => {
      const body = JSON.stringify(fields);
      const before = sentOf(name);
      const sent = before?.body === body ? before : { key: newKey(), body, at: now() };
      sessionStorage.setItem(sentPrefix + name, JSON.stringify(sent));
      return sent.key;
    },
    answered,
    done: (fields) => {
      answered();
      write(
        Object.fromEntries(Object.entries(typedIn(name)).filter(([field, value]) => fields[field] !== value)),
      );
    },
    discard: () => {
      answered();
      write({});
    },
  };
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const forget = (...starts: readonly string[]): void => {
  for (const name of Object.keys(sessionStorage))
    if (starts.some((start) => name.startsWith(start))) sessionStorage.removeItem(name);
};

/** Something was done to what the drafts are about: what was sent before without an answer is not what is meant next. */
export const forgetSent = (about: string): void => forget(`${sentPrefix}${about} `);

/** Another person has signed in. */
export const forgetDrafts = (): void => forget(prefix, sentPrefix);
