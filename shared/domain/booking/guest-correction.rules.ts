import { type Caller, hasPermission } from '../../platform/auth.ts';
import { invalid, type ServiceError } from '../../platform/errors.ts';
import { erasedText } from '../../platform/table/personal-data.ts';
import { toInstant } from '../../platform/time/time.ts';
import { isOfPlatform, type Refusal, refused, withoutUnset } from './booking.rules.ts';
import type { GuestCorrection, GuestField } from './guest-correction.schema.ts';
import { linkOf } from './guest-link.rules.ts';
import type { Guest } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';

/** Who corrects: a host, the guest by account, or the key that made the booking. */
export type Corrector = 'host' | 'guest' | 'key';

/** Until when others than hosts correct: the guest has not arrived, and may still. */
const aheadStates = ['PENDING', 'CONFIRMED'] as const satisfies Reservation['state'][];

/** Of stays whose guest was erased, or which are no longer ahead for who is no host (D146). */
export const correctionRefusal = (stays: readonly Reservation[], by: Corrector, now: number): Refusal => {
  if (stays.some(({ guest }) => guest.full_name === erasedText))
    return refused('The data of this guest were erased.');
  const past = by === 'host' ? undefined : stays.find((stay) => !isAhead(stay, now));
  return (
    past &&
    refused('The guest or the partner can correct this until the check-in; ask the host.', {
      state: past.state,
      allowed_from: aheadStates,
    })
  );
};

const isAhead = ({ state, end_at, timezone }: Reservation, now: number): boolean =>
  (aheadStates as readonly string[]).includes(state) && now < toInstant(end_at, timezone);

/** Returns as whom a user corrects stays, all of which they may see. */
export const correctorOf = (caller: Caller, stays: readonly Reservation[]): Corrector =>
  stays.every(({ team_id }) => hasPermission(caller, 'operate', team_id)) ? 'host' : 'guest';

type Given = { [Name in GuestField]?: string | null | undefined };

/** Returns what a request gives, by field. */
export const givenOf = ({ guest_info, note, arrival_time }: GuestCorrection): Given => ({
  ...guest_info,
  ...(note === undefined ? {} : { note }),
  ...(arrival_time === undefined ? {} : { arrival_time }),
});

const pathOf = (name: GuestField): string =>
  name === 'note' || name === 'arrival_time' ? name : `guest_info.${name}`;

/** What a guest corrects by account: the name is what the desk checks, and the address that of the account. */
const ofGuest: readonly GuestField[] = ['phone', 'note', 'arrival_time'];

/** Of a field that this caller, or this stay, does not have corrected (D146). */
export const fieldRefusal = (
  given: Given,
  stays: readonly Reservation[],
  by: Corrector,
): ServiceError | undefined => {
  const names = Object.keys(given) as GuestField[];
  const messages = names.map((name) => [name, messageOf(name, given[name], stays, by)] as const);
  const [first] = messages.flatMap(([name, message]) => (message ? [{ path: pathOf(name), message }] : []));
  return first && invalid(first);
};

const messageOf = (
  name: GuestField,
  value: string | null | undefined,
  stays: readonly Reservation[],
  by: Corrector,
): string | undefined => {
  if (by === 'guest' && !ofGuest.includes(name)) return 'is corrected by the host';
  const hasAccount = stays.some(({ guest }) => guest.user_id !== null);
  if (hasAccount && (name === 'email' || name === 'language'))
    return 'is that of the account of the guest, who changes it there';
  if (value !== null) return undefined;
  if (name === 'phone' && !stays.every(isOfPlatform)) return 'is required';
  return name === 'email' && by === 'key' ? 'is required' : undefined;
};

/** Optional fields that are stored as no field; the other ones are empty. */
const unstored: readonly GuestField[] = ['note', 'arrival_time'];

/** A guest before and after a correction. */
interface CorrectedGuest {
  guest: Guest;
  fields: GuestField[];
}

/** Returns a guest with what is given, and which fields that changes. */
export const correctedGuest = (before: Guest, given: Given): CorrectedGuest => {
  const names = Object.keys(given) as GuestField[];
  const fields = names.filter((name) => (given[name] ?? '') !== (before[name] ?? ''));
  const set = fields.map((name) => [name, given[name] ?? (unstored.includes(name) ? undefined : '')]);
  return { guest: withoutUnset({ ...before, ...Object.fromEntries(set) }) as Guest, fields };
};

/**
 * Returns the link of a stay after its guest was corrected. A link that a mail brought to another address ends; other digits of the
 * telephone number have tries of their own.
 */
export const correctedLink = (
  stay: Reservation,
  fields: readonly GuestField[],
): Reservation['guest_link'] => {
  const link = linkOf(stay);
  if (fields.includes('email') && stay.guest.email !== '')
    return { ...link, version: link.version + 1, tries: 0 };
  return fields.includes('phone') && link.tries > 0 ? { ...link, tries: 0 } : stay.guest_link;
};
