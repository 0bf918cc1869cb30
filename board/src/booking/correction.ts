import type { ReadBooking } from '@nightlatch/client';
import type { Fields } from '../data/fields.ts';

type Corrected = Pick<ReadBooking, 'id' | 'user_id' | 'guest_info' | 'arrival_time' | 'note'>;

export const correctionFields = ['full_name', 'phone', 'email', 'arrival_time', 'note'] as const;
type CorrectionField = (typeof correctionFields)[number];

/** The address of a guest with an account is that of the account. */
export const isCorrectable = (field: string, { user_id }: Pick<Corrected, 'user_id'>): boolean =>
  field !== 'email' || user_id === null;

/** What the booking has, as the form shows it. */
export const correctionOf = ({
  guest_info: { full_name, phone, email },
  ...booking
}: Corrected): Record<CorrectionField, string> => ({
  ...{ full_name, phone, email },
  arrival_time: booking.arrival_time?.slice(0, 5) ?? '',
  note: booking.note ?? '',
});

/** Returns the request: only what differs from the booking, so that what others correct meanwhile stays. */
export const correctionRequest = (booking: Corrected, fields: Fields) => {
  const before = correctionOf(booking);
  const textOf = (name: CorrectionField): string => (fields[name] ?? before[name]).trim();
  const changed = correctionFields.filter(
    (name) => isCorrectable(name, booking) && textOf(name) !== before[name],
  );
  const given = (names: readonly CorrectionField[]) =>
    Object.fromEntries(
      changed
        .filter((name) => names.includes(name))
        .map((name) => [name, textOf(name) === '' ? null : textOf(name)]),
    );
  const guestInfo = given(['full_name', 'phone', 'email']);
  const arrival = textOf('arrival_time');
  return {
    booking_id: booking.id,
    ...(Object.keys(guestInfo).length > 0 ? { guest_info: guestInfo } : {}),
    ...given(['note']),
    ...(changed.includes('arrival_time') ? { arrival_time: arrival === '' ? null : `${arrival}:00` } : {}),
  };
};
