import { personalEventData } from '../../../shared/personal-data.ts';
import { orderIdOf } from '../../../shared/platform/ids.ts';
import { normalEmail } from '../../../shared/platform/text/normal-email.ts';
import { classesOf, erasedText } from '../../../shared/platform/table/personal-data.ts';
import { compressBody, plainBody } from '../../../shared/platform/http/compressed-body.ts';
import { isRefOf, type Person } from './person.ts';
import { pathsOf } from './replace.ts';
import type { Fields } from '../stored-items.ts';

const copied = ['User', 'Order', 'Reservation', 'PaymentRefund', 'ChatThread', 'ChatMessage', 'Review'];

const lastName = (path: string): string => path.split('.').at(-1) ?? path;

/** The names of the personal fields that answers, events and deliveries repeat. */
const personalNames = new Set([
  ...copied.flatMap((entity) => pathsOf(entity, 'personal').map(lastName)),
  ...Object.values(personalEventData).flatMap((fields) =>
    [...classesOf(fields)].flatMap(([path, found]) => (found === 'personal' ? [lastName(path)] : [])),
  ),
]);

/** A shorter text is not looked for in others: it would be found in words. */
const shortestValue = 4;

/** Returns whether a text of a copy contains a value of the person. */
const holdsValue = ({ values, emails }: Person, text: string): boolean =>
  [...values, ...emails].some((value) => value.length >= shortestValue && text.includes(value));

/** Returns whether data name the person, or one of their orders, by id or by address. */
const isAbout = (person: Person, data: unknown, name = ''): boolean => {
  if (typeof data === 'string') return person.emails.has(normalEmail(data));
  if (typeof data === 'number')
    return /(^|_)id$/.test(name) && (person.userIds.has(data) || person.orderIds.has(orderIdOf(data)));
  if (typeof data !== 'object' || data === null) return false;
  return Object.entries(data).some(([key, value]) =>
    isAbout(person, value, Array.isArray(data) ? name : key),
  );
};

/** The parts of answers that name the guest as a whole, and those of the host, which stay. */
const guestParts: readonly string[] = ['guest', 'guest_info'];
const hostParts: readonly string[] = ['host', 'host_info'];

/** Returns data without the personal values in them; the same object if there are none. `inside`: a part about the guest. */
const withoutValues = (person: Person, data: unknown, name = '', inside = false): unknown => {
  if (typeof data === 'string') {
    const isPersonal = inside || personalNames.has(name) || holdsValue(person, data);
    return isPersonal && data !== '' ? erasedText : data;
  }
  if (typeof data !== 'object' || data === null || hostParts.includes(name)) return data;
  const isInside = inside || guestParts.includes(name);
  if (Array.isArray(data)) {
    const parts = data.map((part) => withoutValues(person, part, name, isInside));
    return parts.every((part, at) => part === data[at]) ? data : parts;
  }
  const entries = Object.entries(data).map(
    ([key, value]) => [key, withoutValues(person, value, key, isInside)] as const,
  );
  return entries.every(([key, value]) => value === (data as Fields)[key])
    ? data
    : Object.fromEntries(entries);
};

const erasedData = (person: Person, data: unknown): unknown =>
  isAbout(person, data) ? withoutValues(person, data) : data;

const erasedJson = (person: Person, text: string): string => {
  try {
    const data: unknown = JSON.parse(text);
    const after = erasedData(person, data);
    return after === data ? text : JSON.stringify(after);
  } catch {
    return text;
  }
};

type Erase = (person: Person, fields: Fields) => Fields;

/** Returns the attributes that change, by entity with copies of personal fields. */
const copies: Readonly<Record<string, Erase>> = {
  Event: (person, { data }) => ({ data: erasedData(person, data) }),
  EventPage: (person, { entries }) => {
    const before = entries as Fields[];
    const after = before.map((entry) => {
      const data = erasedData(person, entry['data']);
      return data === entry['data'] ? entry : { ...entry, data };
    });
    return { entries: after.every((entry, at) => entry === before[at]) ? entries : after };
  },
  WebhookDelivery: (person, fields) =>
    Object.fromEntries(
      ['data', 'body'].flatMap((name) => {
        const text = fields[name];
        return typeof text === 'string' ? [[name, erasedJson(person, text)]] : [];
      }),
    ),
  IdempotencyRecord: (person, fields) => {
    const stored = fields as { body: string; packed?: Uint8Array; sealed?: Uint8Array };
    // An encrypted answer that names a guest was given to that guest, and is deleted as such; others name no one.
    if (stored.sealed) return {};
    const before = plainBody(stored);
    const after = erasedJson(person, before);
    return after === before ? {} : { packed: undefined, ...compressBody(after) };
  },
};

/** Returns the attributes of a record that change when the copies of a person's fields in it are erased. */
export const erasedCopies = (person: Person, entity: string, fields: Fields): Fields => {
  const after = copies[entity]?.(person, fields) ?? {};
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== fields[name]));
};

/** Returns the message of an event without the personal values in it; any other text as it is. */
export const erasedMessage = (person: Person, body: string): string => {
  try {
    const message = JSON.parse(body) as { detail?: { data?: unknown } };
    const before = message.detail?.data;
    const data = erasedData(person, before);
    return data === before ? body : JSON.stringify({ ...message, detail: { ...message.detail, data } });
  } catch {
    return body;
  }
};

/** Returns whether an answer was given to the person. */
export const isOwnAnswer = (person: Person, entity: string, { scope }: Fields): boolean =>
  entity === 'IdempotencyRecord' && isRefOf(person, String(scope).split('#')[0]);
