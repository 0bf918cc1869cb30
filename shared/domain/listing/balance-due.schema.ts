import * as z from 'zod';

const meta = {
  description:
    'When the balance is due: so many hours before check-in, where a booking that is still unpaid 12 hours later is cancelled by its cancellation terms; or ON_ARRIVAL. Unset: 72 hours. A booking made later than that is due at once.',
  examples: [{ hours_before: 72 }],
};

/** When the balance of a payment plan is due, as a host writes it (D129): the time to pay ends before check-in. */
export const BalanceDueInput = z
  .union([
    z.enum(['ON_ARRIVAL']),
    z.strictObject({ hours_before: z.int().min(24).max(8760) }).meta({ id: 'BalanceHours' }),
  ])
  .meta(meta);

/** The same in responses. */
export const BalanceDue = z
  .union([z.enum(['ON_ARRIVAL']), z.object({ hours_before: z.int() }).meta({ id: 'HoursBeforeCheckIn' })])
  .meta({ ...meta, id: 'BalanceDue' });
