import type { Sent } from '../service/client.ts';
import { type Item, itemsOf } from '../memory/values.ts';
import { orderOf } from './service-asks.ts';

interface Moved {
  event_type: string;
  occurred_at: string;
  data: {
    id: number;
    was: { total_price: number };
    now: { total_price: number; listing_id: number; start_at: string; end_at: string };
  };
}

interface Answer {
  change: { difference: number; payment_url?: string | null };
}

/** The clocks of two instances differ by up to a second. */
const skewMs = 1000;

/**
 * Answers to changes by the link of a guest have neither times nor order: those of the one event of the stay that it can be. Without an event the
 * stay is what it was; a request with several, or with a page that is paid first, is left as it is.
 */
export const withTimes = (sent: readonly Sent[], items: readonly Item[]): Sent[] => {
  const events = itemsOf<Moved>(items, 'Event').filter(({ event_type }) => event_type === 'booking.changed');
  return sent.map((one) => {
    const { who, request, reply, by } = one;
    if (request.verb !== 'changeGuestBooking' || reply?.status !== 200) return one;
    const { change } = reply.json as Answer;
    const same = sent.filter((other) => other.who === who && other.request.key === request.key);
    const since = Math.min(...same.map((other) => other.since));
    const made = events.filter(({ data: { id, was, now }, occurred_at }) => {
      const at = Date.parse(occurred_at);
      const isThen = at >= since - skewMs && at <= by + skewMs;
      return id === who.stay && isThen && now.total_price - was.total_price === change.difference;
    });
    const [only, ...others] = made;
    if (others.length > 0 || change.payment_url !== undefined) return one;
    const { listing_id, start_at, end_at } = only?.data.now ?? {};
    const master_reservation_id = orderOf(who.stay!);
    const times = only ? { listing_id, start_at, end_at, master_reservation_id } : { isUnchanged: true };
    return { ...one, reply: { ...reply, json: { ...(reply.json as object), ...times } } };
  });
};
