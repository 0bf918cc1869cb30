import { foldText } from '../../platform/fold-text.ts';
import { createHash } from 'node:crypto';
import { orderIdOf } from '../../platform/ids.ts';
import type { ListKind, Owner } from '../../platform/lists/index.ts';
import { nightsBetween } from '../../platform/time.ts';
import { guestStays, type Reservation, ReservationEntity, teamStays } from './booking.entity.ts';

/** What lists of bookings filter and sort by. Dates are days since 1970; what is only compared as a whole is hashed. */
export interface StayRow {
  id: number;
  updated: number;
  team: number;
  listing: number;
  /** State and payment status. */
  standing: string;
  check_in: number;
  nights: number;
  external: number | null;
  phone: number;
  email: number;
  name: string;
}

export const ownerTeam = (teamId: number): Owner => ({
  ...{ index: 'by_team', pk: teamStays(teamId), name: `T${teamId.toString(36)}` },
});
export const ownerGuest = (userId: number): Owner => ({
  ...{ index: 'by_audience', pk: guestStays(userId), name: `G${userId.toString(36)}` },
});

export const stayList: ListKind<StayRow, Reservation> = {
  name: 'STAYS',
  planes: {
    main: {
      updated: 'number',
      team: 'choice',
      listing: 'choice',
      standing: 'choice',
      check_in: 'number',
      nights: 'number',
    },
    external: { external: 'number' },
    contact: { phone: 'number', email: 'number' },
    name: { name: 'text' },
  },
  rowOf: (stay) => ({
    id: stay.reservation_id,
    updated: Date.parse(stay.updated_at),
    team: stay.team_id,
    listing: stay.listing_id,
    standing: `${stay.state} ${stay.payment_status}`,
    check_in: dayOf(stay.check_in_date),
    nights: nightsBetween(stay.check_in_date, stay.check_out_date),
    external: stay.external_booking_id === null ? null : hashOf(stay.external_booking_id),
    phone: hashOf(phoneText(stay.guest.phone)),
    email: hashOf(stay.guest.email.toLowerCase()),
    name: foldText(stay.guest.full_name),
  }),
  keyOf: (id) => ReservationEntity.key({ order_id: orderIdOf(id), reservation_id: id }),
  belongs: (stay, { index, pk }) => ReservationEntity.indexes?.(stay)[index]?.pk === pk,
  packedFrom: 50,
};

export const dayOf = (date: string): number => nightsBetween('1970-01-01', date);

const hashBits = 30;
/** Of a text that is compared as a whole. Two of a list of 10,000 share one by a chance of 1 to 100,000 a question. */
export const hashOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() >>> (32 - hashBits);

/** A telephone number as its digits; with the country code of Viet Nam or without it is the same. */
export const phoneText = (phone: string): string => phone.replaceAll(/\D/g, '').replace(/^(00)?84/, '0');
