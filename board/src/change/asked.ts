import type { ChangeBooking, ReadBooking } from '@nightlatch/client';
import { addDays, nightsBetween } from '../chart/free.ts';
import type { Fields } from '../data/fields.ts';

/** Where and when a stay is, as a form has it. */
export interface Place {
  listing: string;
  from: string;
  to: string;
  guests: string;
}

/** Returns where and when a stay is booked. */
export const placeOf = ({ id, listing_id, reservations, guests }: ReadBooking): Place => {
  // The other stays of an order are among them.
  const stay = reservations.find((one) => one.id === id) ?? reservations[0];
  return {
    listing: listing_id,
    from: stay?.check_in ?? '',
    to: stay?.check_out ?? '',
    guests: String(guests),
  };
};

/** Returns what is asked to change, alone; undefined: nothing, or it is not typed yet. */
export const askedOf = (was: Place, fields: Fields): ChangeBooking | undefined => {
  const now = { ...was, ...fields };
  if (now.from === '' || now.to < now.from || !/^\d+$/.test(now.guests)) return undefined;
  const asked = {
    ...(now.listing === was.listing ? {} : { listing_id: Number(now.listing) }),
    ...(now.from === was.from ? {} : { check_in_date: now.from }),
    ...(now.to === was.to ? {} : { check_out_date: now.to }),
    ...(now.guests === was.guests ? {} : { guest_number: Number(now.guests) }),
  };
  return Object.keys(asked).length === 0 ? undefined : { ...asked, ...wishesOf(fields) };
};

/** Returns the dates after one was typed: an arrival that is not before the departure moves it too. */
export const typed = ({ from, to }: Place, name: 'from' | 'to', value: string): Partial<Place> =>
  name === 'from' && from !== '' && to !== '' && value >= to
    ? { from: value, to: addDays(value, nightsBetween(from, to)) }
    : { [name]: value };

/** How the host wants the difference of the price settled. */
const wishesOf = ({ keep, later, credit }: Fields): ChangeBooking => ({
  ...(keep === 'yes' ? { price: 'KEEP' as const } : {}),
  ...(later === 'yes' ? { charge_later: true } : {}),
  ...(credit === 'yes' ? { as_credit: true } : {}),
});
