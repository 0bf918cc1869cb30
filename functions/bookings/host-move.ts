import * as z from 'zod';
import { BookingDetail } from '../../shared/domain/booking/booking.schema.ts';
import { bookingDetailExample } from '../../shared/domain/booking/booking-example.schema.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';

export const bookingId = z.strictObject({ booking_id: PathId });

/** A move that a host makes: confirm, check-in, check-out, complete, mark-paid (D50). */
export const hostMove = <Path extends string>(
  path: Path,
  permission: 'operate' | 'manage',
  summary: string,
  { booking_id, ...reply }: Partial<BookingDetail> & { booking_id: number },
) =>
  ({
    method: 'POST',
    path: `/api/v1/bookings/{booking_id}/${path}`,
    access: 'host',
    permission,
    tag: 'Bookings',
    summary,
    params: bookingId,
    status: 200,
    reply: BookingDetail,
    errors: ['BOOKING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: {
      params: { booking_id },
      reply: { ...bookingDetailExample, id: booking_id, master_reservation_id: booking_id - 1, ...reply },
    },
  }) as const;
