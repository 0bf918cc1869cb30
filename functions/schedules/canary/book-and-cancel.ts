import * as z from 'zod';
import { addDays, minuteMs } from '../../../shared/platform/time/time.ts';
import { CanaryFailure, type PartnerApi } from './partner-api.ts';

/** Every booking of the canary has an external id that begins with this. */
const prefix = 'canary-';
/** No run takes as long: what is older was left by one that has ended. */
const leftMs = 2 * minuteMs;
/** A run that fails to cancel is followed by none that books, so what is left is among the newest. */
const newest = 10;

/** A night between these days ahead, so that runs at the same time rarely want the same one. */
const nights = { first: 60, count: 600 };
const mostNights = 3;

/** The night was taken meanwhile, or its price has changed: the service works, and another night is asked for. */
const decisions: readonly (string | undefined)[] = ['LISTING_NOT_AVAILABLE', 'PRICE_CHANGED'];

const Booking = z.object({
  id: z.int(),
  state: z.string(),
  check_in_date: z.string(),
  external_booking_id: z.string().nullable(),
  created_at: z.string(),
});
const Bookings = z.object({ items: z.array(Booking) });
const Quote = z.object({ estimated_total: z.number() });
const Days = z.object({ items: z.array(z.object({ date: z.string(), available: z.boolean() })) });

type Booking = z.infer<typeof Booking>;

/** What a run of the canary needs besides the API. */
export interface CanaryRun {
  listingId: number;
  /** Epoch milliseconds. */
  now: number;
  /** Unique for the run. */
  runId: string;
  /** Returns a whole number from 0 to below `count`. */
  pick: (count: number) => number;
}

/** What a run of the canary has done. */
export interface CanaryResult {
  booking_id: number;
  /** Bookings of earlier runs that it has cancelled. */
  left: number;
}

/**
 * Books a night, reads the booking, cancels it and finds the night free again; before that it cancels what a run that crashed
 * has left. Throws CanaryFailure at the first step that does not go as it must.
 */
export const bookAndCancel = async (api: PartnerApi, run: CanaryRun): Promise<CanaryResult> => {
  const left = await cancelLeft(api, run.now);
  const booked = await bookNight(api, run);
  await requireBooked(api, booked);
  await cancel(api, booked.id);
  await requireFree(api, run.listingId, booked.check_in_date);
  return { booking_id: booked.id, left };
};

const cancelLeft = async (api: PartnerApi, now: number): Promise<number> => {
  const { items } = await api('list', Bookings, { method: 'GET', path: `bookings?limit=${newest}` });
  const left = items.filter(
    ({ state, external_booking_id, created_at }) =>
      state !== 'CANCELLED' &&
      external_booking_id?.startsWith(prefix) &&
      now - Date.parse(created_at) >= leftMs,
  );
  for (const { id } of left) await cancelOnce(api, id);
  return left.length;
};

/** Another run may be cancelling it too. */
const cancelOnce = async (api: PartnerApi, id: number): Promise<void> => {
  try {
    await cancel(api, id, 'clean up');
  } catch (error) {
    if (!(error instanceof CanaryFailure) || error.code !== 'INVALID_STATE_TRANSITION') throw error;
  }
};

/** Books the first night of a few that is free at the price that was just quoted. */
const bookNight = async (api: PartnerApi, run: CanaryRun): Promise<Booking> => {
  const today = new Date(run.now).toISOString().slice(0, 10);
  for (let attempt = 1; ; attempt++) {
    try {
      return await book(api, run, addDays(today, nights.first + run.pick(nights.count)), attempt);
    } catch (error) {
      const isDecision = error instanceof CanaryFailure && decisions.includes(error.code);
      if (!isDecision || attempt === mostNights) throw error;
    }
  }
};

const book = async (
  api: PartnerApi,
  { listingId, runId }: CanaryRun,
  night: string,
  attempt: number,
): Promise<Booking> => {
  const stay = {
    listing_id: listingId,
    check_in_date: night,
    check_out_date: addDays(night, 1),
    guest_number: 1,
  };
  const quoted = { method: 'POST', path: 'quotes', body: { items: [stay] } } as const;
  const { estimated_total } = await api('quote', Quote, quoted);
  return api('book', Booking, {
    method: 'POST',
    path: 'bookings',
    body: {
      ...stay,
      nights: 1,
      expected_total: estimated_total,
      payment_method: 'CASH',
      // No mail is sent to such an address.
      guest_info: { full_name: 'Canary', phone: '+10000000000', email: 'canary@nightlatch.invalid' },
      external_booking_id: `${prefix}${runId}-${attempt}`,
    },
  });
};

const requireBooked = async (api: PartnerApi, booked: Booking): Promise<void> => {
  const read = await api('read', Booking, { method: 'GET', path: `bookings/${booked.id}` });
  const isSame =
    read.check_in_date === booked.check_in_date && read.external_booking_id === booked.external_booking_id;
  if (read.state !== 'CONFIRMED' || !isSame)
    throw new CanaryFailure('read', `another booking than was made, in state ${read.state}`);
};

const cancel = async (api: PartnerApi, id: number, step = 'cancel'): Promise<void> => {
  const body = { reason: 'Canary' };
  const call = { method: 'POST', path: `bookings/${id}/cancel`, body } as const;
  const { state } = await api(step, Booking, call);
  if (state !== 'CANCELLED') throw new CanaryFailure(step, `its state is ${state}`);
};

const requireFree = async (api: PartnerApi, listingId: number, night: string): Promise<void> => {
  const path = `listings/${listingId}/availability?start_date=${night}&end_date=${night}`;
  const { items } = await api('availability', Days, { method: 'GET', path });
  if (!items.some(({ date, available }) => date === night && available))
    throw new CanaryFailure('availability', `the night of ${night} is not free after its cancellation`);
};
