import { createHash } from 'node:crypto';
import { foldText } from '../../platform/text/fold-text.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import {
  addSeconds,
  atTime,
  dateOf,
  dateOfDay,
  dayNumber,
  hoursBetween,
  nightsBetween,
} from '../../platform/time/time.ts';
import { minorUnits, ofMinorUnits, toNumber } from '../../platform/money.ts';
import type { LocalRange, TakenLabel } from '../calendar/model.ts';
import { dueFor } from '../folio/model.ts';
import { type BookingState, fellThrough, type PaymentStatus } from './booking-state.schema.ts';
import { isOfPlatform } from './booking.rules.ts';
import { isToReturn } from './handover.rules.ts';
import type { Reservation } from './reservation.entity.ts';
import { stayedUntil, takenTime } from './unused-time.rules.ts';

/**
 * The columns by which lists of bookings are filtered and sorted. Dates are days since 1970; texts that are only compared
 * for equality are hashed.
 */
export interface StayRow {
  id: number;
  updated: number;
  team: number;
  listing: number;
  /** State and payment status; between them `TRANSFER` while a bank transfer is awaited, `PLATFORM` of a platform's stay. */
  standing: string;
  check_in: number;
  nights: number;
  external: number | null;
  phone: number;
  email: number;
  name: string;
  /** The day until which the stay takes its time; `nights` does not count an early departure. */
  out: number;
  /** Seconds from the midnight before check-in, and from that of `out`. */
  starts: number;
  ends: number;
  /** 1 while the host has to hand over something; else 0. */
  to_return: number;
  guest: string;
  /** The id of its availability entry. */
  entry: number;
  /** What is to be paid now, in minor units of the currency. */
  due: number;
  currency: string;
  /** Hours after its end that are taken too; 0 of a stay that did not take place, whose entry knows. */
  preparation: number;
  /** Its external system; empty: none. */
  system: string;
}

const transferred = 'TRANSFER';
const ofPlatform = 'PLATFORM';
const marksOf = (stay: Reservation): string[] => {
  if (isOfPlatform(stay)) return [ofPlatform];
  return awaitsTransfer(stay) ? [transferred] : [];
};

/** Returns the row of a reservation. */
export const stayRow = (stay: Reservation): StayRow => ({
  id: stay.reservation_id,
  updated: Date.parse(stay.updated_at),
  team: stay.team_id,
  listing: stay.listing_id,
  standing: [stay.state, ...marksOf(stay), stay.payment_status].join(' '),
  check_in: dayNumber(stay.check_in_date),
  nights: nightsBetween(stay.check_in_date, stay.check_out_date),
  external: stay.external_booking_id === null ? null : textHash(stay.external_booking_id),
  phone: textHash(phoneText(stay.guest.phone)),
  email: textHash(normalEmail(stay.guest.email)),
  name: foldText(stay.guest.full_name),
  ...timesOf(stay),
  to_return: isToReturn(stay) ? 1 : 0,
  guest: stay.guest.full_name,
  entry: stay.availability_id,
  due: toNumber(minorUnits(dueNow(stay), stay.currency)),
  currency: stay.currency,
  system: stay.external_system ?? '',
});

/** Returns what is to be paid for a stay now: nothing for one that fell through. */
export const dueNow = (stay: Reservation): number =>
  stay.payment_status === 'PENDING' && !fellThrough(stay.state) ? dueFor(stay) : 0;

/** Whether something is to be paid for an accepted stay by bank transfer now (D130). */
export const awaitsTransfer = (stay: Reservation): boolean =>
  stay.payment_method === 'BANK_TRANSFER' && stay.state !== 'PENDING' && dueNow(stay) > 0;

type StayLabel = Pick<TakenLabel, 'source' | 'payment'>;

/** Returns what a calendar says to hosts of a stay (D125). */
export const stayLabel = (stay: Reservation): StayLabel => ({
  source: stay.external_system,
  payment: { status: stay.payment_status, due: dueNow(stay), currency: stay.currency },
});

/** Returns the same of the row of a stay. */
export const rowLabel = ({ standing, due, currency, system }: StayRow): StayLabel => ({
  source: system || null,
  payment: {
    status: standing.split(' ').at(-1) as PaymentStatus,
    due: toNumber(ofMinorUnits(due, currency)),
    currency,
  },
});

const timesOf = (stay: Reservation) => {
  const end = stayedUntil(stay);
  const { start_at: start } = takenTime(stay);
  const secondsFrom = (date: string, local: string) => hoursBetween(atTime(date, '00:00:00'), local) * 3600;
  return {
    out: dayNumber(dateOf(end)),
    starts: Math.round(secondsFrom(stay.check_in_date, start)),
    ends: Math.round(secondsFrom(dateOf(end), end)),
    preparation: end > start && stay.no_show_at === undefined ? (stay.preparation_hours ?? 0) : 0,
  };
};

/** Returns the state of the stay of a row. */
export const stateOf = ({ standing }: Pick<StayRow, 'standing'>): BookingState =>
  standing.split(' ')[0] as BookingState;

/** Returns when the stay of a row begins, and until when it takes its time. */
export const stayTimes = ({ check_in, starts, out, ends }: StayRow): LocalRange => ({
  start_at: addSeconds(atTime(dateOfDay(check_in), '00:00:00'), starts),
  end_at: addSeconds(atTime(dateOfDay(out), '00:00:00'), ends),
});

/** Whether a bank transfer is awaited for the stay of a row. */
export const isTransferDue = ({ standing }: Pick<StayRow, 'standing'>): boolean =>
  standing.split(' ')[1] === transferred;

/** Whether another platform has sold the stay of a row. */
export const isRowOfPlatform = ({ standing }: Pick<StayRow, 'standing'>): boolean =>
  standing.split(' ')[1] === ofPlatform;

const hashBits = 30;
/**
 * Returns the hash of a text that is only compared for equality. In a list of 10,000 a query meets a collision with
 * probability 1 in 100,000.
 */
export const textHash = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() >>> (32 - hashBits);

/** Returns the digits of a telephone number; the country code of Viet Nam is dropped. */
export const phoneText = (phone: string): string => phone.replaceAll(/\D/g, '').replace(/^(00)?84/, '0');
