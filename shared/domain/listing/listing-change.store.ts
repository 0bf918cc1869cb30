import { isDeepStrictEqual } from 'node:util';
import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { create, type Write } from '../../platform/table/index.ts';
import { ListingChangeEntity } from './listing-change.entity.ts';

/** A field, price or rule of a listing before and after a change; null where it was or is not there. */
export interface FieldChange {
  field: string;
  id?: number;
  was: unknown;
  now: unknown;
}

/** Their values are not kept: the log would show an old code to every member. */
const secretFields = new Set(['wifi_name', 'wifi_password', 'door_code']);

/** Returns the differences of fields of a record. */
export const fieldChanges = <Item extends object>(
  one: Item,
  other: Item,
  fields: readonly (keyof Item & string)[],
): FieldChange[] =>
  fields
    .filter((field) => !isDeepStrictEqual(one[field], other[field]))
    .map((field) => ({ field, was: one[field], now: other[field] }));

/** Returns the differences of a list of parts, each known by its id. */
export const partChanges = <Part extends { id: number }>(
  field: string,
  before: readonly Part[],
  after: readonly Part[],
): FieldChange[] => {
  const was = new Map(before.map((part) => [part.id, part]));
  const now = new Map(after.map((part) => [part.id, part]));
  return [...new Set([...was.keys(), ...now.keys()])]
    .filter((id) => !isDeepStrictEqual(was.get(id), now.get(id)))
    .map((id) => ({ field, id, was: was.get(id), now: now.get(id) }));
};

const jsonOf = (value: unknown): string => JSON.stringify(value ?? null);

/** Returns the write of a line of the change log, for the transaction of the change; none if nothing has changed. */
export const recordChanges = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  listingId: number,
  changes: readonly FieldChange[],
): Write[] => {
  if (changes.length === 0) return [];
  const line = {
    listing_id: listingId,
    change_id: newId(ctx.clock),
    changed_at: instantText(ctx.clock.now()),
    actor: callerRef(ctx.caller),
    changes: changes.map(({ field, id, was, now }) => ({
      field,
      ...(id === undefined ? {} : { part_id: id }),
      was: jsonOf(secretFields.has(field) ? null : was),
      now: jsonOf(secretFields.has(field) ? null : now),
    })),
  };
  return [create(ListingChangeEntity, line)];
};
