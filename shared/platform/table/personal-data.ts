/**
 * What a text of a record says of people:
 * - `none`: nothing: ids, times, codes, and what a team says of itself and its homes;
 * - `personal`: of the person whom the record is about. Erasing replaces it;
 * - `free`: text of a team that may name a person. Erasing reports it and leaves it to the operator;
 * - `kept`: a reference to a payment or to a booking of a partner, which the law wants kept;
 * - `secret`: a credential or its hash, which no export of a person shows;
 * - `copy`: fields of other records, which are erased in it by their names.
 */
export type DataClass = 'none' | 'personal' | 'free' | 'kept' | 'secret' | 'copy';

/** The text fields of a record by class: paths as in docs/reference/records.json, separated by spaces. */
export type ClassifiedFields = Partial<Record<DataClass, string>>;

/** Returns the class of each path. */
export const classesOf = (fields: ClassifiedFields): Map<string, DataClass> =>
  new Map(
    Object.entries(fields).flatMap(([name, paths]) =>
      paths
        .split(/\s+/)
        .filter(Boolean)
        .map((path): [string, DataClass] => [path, name as DataClass]),
    ),
  );

/** What stands in place of a text that was erased and that a record must have. */
export const erasedText = '[erased]';
