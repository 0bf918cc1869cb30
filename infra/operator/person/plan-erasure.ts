import type { User } from '../../../shared/domain/people/model.ts';
import { type Clock, instantText } from '../../../shared/platform/time/clock.ts';
import {
  all,
  change,
  type Condition,
  equals,
  lacks,
  present,
  remove,
  type Write,
} from '../../../shared/platform/table/index.ts';
import { erasedCopies, isOwnAnswer } from './copies.ts';
import { isRecordOf, type Person } from './person.ts';
import { erasedAttributes } from './replace.ts';
import type { Fields } from '../stored-items.ts';
import type { StoredRecord } from './stored-records.ts';

/** One write of an erasure. */
export interface Erasure {
  entity: string;
  what: 'changed' | 'removed';
  write: Write;
  /** Records by which others are found are written last, so that a run that was interrupted can be repeated. */
  rank: number;
}

/** Records of a person that nothing else needs. */
const removed = new Set([
  'Subject',
  'EmailOwner',
  'Membership',
  'FirstPassword',
  'Invitation',
  'InvitationSecret',
  'InvitationMails',
  'VerificationMails',
  'LoginFailures',
  'PasswordMails',
  'MailTurns',
  'SignedOutToken',
  'CartItem',
  'CartAddition',
  'Quote',
  'ChatMark',
  'HandledEvent',
]);

const rankOf = (entity: string): number => {
  if (entity === 'User') return 3;
  if (removed.has(entity)) return 2;
  return entity === 'Order' || entity === 'Reservation' ? 1 : 0;
};

/** Returns the write that a record needs; undefined if it holds nothing of the person any more. */
export const planErasure = (person: Person, clock: Clock, record: StoredRecord): Erasure | undefined => {
  const { entity, fields } = record;
  const { name } = entity;
  const isTheirs = isRecordOf(person, name, fields);
  if (isOwnAnswer(person, name, fields) || (isTheirs && removed.has(name)))
    return { ...removal(record), rank: rankOf(name) };
  const own = isTheirs ? erasedAttributes(entity, fields) : {};
  const set = { ...own, ...senderName(person, record), ...erasedCopies(person, name, fields) };
  const changes = { ...set, ...(isTheirs ? withThem(name, fields, set, clock) : {}) };
  if (Object.keys(changes).length === 0) return undefined;
  // Writers that replace the whole item check its version.
  const version = 'version' in fields ? { version: Number(fields['version']) + 1 } : {};
  const next = { ...changes, ...version };
  const write = change(entity, fields, { set: next }, { when: unchanged(fields, Object.keys(next)) });
  return { entity: name, what: 'changed', write, rank: rankOf(name) };
};

const removal = ({ entity, fields }: StoredRecord): Omit<Erasure, 'rank'> => {
  const plain = Object.keys(fields).filter((name) => typeof fields[name] !== 'object');
  const when = all(present(), unchanged(fields, plain));
  return { entity: entity.name, what: 'removed', write: remove(entity, fields, { when }) };
};

/** The condition that attributes are as they were read. */
const unchanged = (fields: Fields, names: readonly string[]): Condition =>
  all(...names.map((name) => (fields[name] === undefined ? lacks(name) : equals(name, fields[name]))));

/** A host who has written to a guest: the text stays with the booking, without the name. */
const senderName = (person: Person, { entity, fields }: StoredRecord): Fields => {
  const isSender = entity.name === 'ChatMessage' && person.userIds.has(Number(fields['sender_id']));
  if (!isSender) return {};
  const { sender_name } = erasedAttributes(entity, fields);
  return sender_name === undefined ? {} : { sender_name };
};

/** What changes together with the personal fields. */
const withThem = (entity: string, fields: Fields, set: Fields, clock: Clock): Fields => {
  const now = instantText(clock.now());
  if (entity === 'User' && fields['status'] !== 'DELETED') return { ...ended(now), updated_at: now };
  // Lists of bookings are packed again by the time of the last change.
  if (entity === 'Reservation' && Object.keys(set).length > 0)
    return { updated_at: instantText(Math.max(clock.now(), Date.parse(String(fields['updated_at'])) + 1)) };
  return {};
};

/** An account that has ended. */
export const ended = (now: string): Pick<User, 'status' | 'deleted_at'> => ({
  status: 'DELETED',
  deleted_at: now,
});
