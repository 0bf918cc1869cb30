import type { Erasing } from './erase-person.ts';
import { findPerson, isRecordOf, type StoredPersonRef } from './person.ts';
import { pathsOf } from './replace.ts';
import { eachRecord } from './stored-records.ts';
import type { Fields } from '../stored-items.ts';

interface PersonExport {
  user_ids: number[];
  /** The person's records by entity, without credentials and packed values. */
  records: Record<string, Fields[]>;
}

/** Returns what is stored of a person. */
export const exportPerson = async (reading: Erasing, ref: StoredPersonRef): Promise<PersonExport> => {
  const person = await findPerson(reading, ref);
  const records: PersonExport['records'] = {};
  await eachRecord(reading, ({ entity: { name }, fields }) => {
    if (isRecordOf(person, name, fields)) (records[name] ??= []).push(shown(name, fields));
  });
  return { user_ids: [...person.userIds], records };
};

/** Secrets stand at the top of a record. */
const shown = (entity: string, fields: Fields): Fields => {
  const secrets = pathsOf(entity, 'secret');
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      secrets.includes(name) ? [] : [[name, withoutBinary(value)]],
    ),
  );
};

const withoutBinary = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutBinary);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part instanceof Uint8Array ? [] : [[name, withoutBinary(part)]],
    ),
  );
};
