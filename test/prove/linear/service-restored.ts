import { itemsOf, type Item } from '../memory/values.ts';
import { hourSpan } from '../schedule/scene.ts';
import type { Sent } from '../service/client.ts';
import { orderOf } from './service-asks.ts';
import type { Family } from './problems.ts';

interface Restored {
  event_type: string;
  occurred_at: string;
  data: { id: number; listing_id: number; check_in_date: string; check_out_date: string };
}

/** The clocks of two instances differ by up to a second. */
const skewMs = 1000;
const mostPreparation = 24;

/**
 * Families with the stays that late transfers have restored (D130), which no request of a customer shows: from a moment before the
 * event on their time may be taken again. That it is taken once the calendar of the records says.
 */
export const withRestored = (
  families: readonly Family[],
  sent: readonly Sent[],
  items: readonly Item[],
): Family[] => {
  const restored = itemsOf<Restored>(items, 'Event').filter(
    ({ event_type }) => event_type === 'booking.restored',
  );
  return families.map((family) => ({
    ...family,
    calls: [
      ...family.calls,
      ...restored
        .filter(({ data }) => String(data.listing_id) in family.parents)
        .map(({ occurred_at, data: { id, listing_id, check_in_date, check_out_date } }) => {
          const since = Date.parse(occurred_at) - skewMs;
          const moments = sent.flatMap((one) => [
            ...(one.since <= since ? [one.begin] : []),
            ...(one.by <= since ? [one.end] : []),
          ]);
          const span = hourSpan({ from: `${check_in_date}T00:00:00`, to: `${check_out_date}T23:59:59` });
          const place = { home: String(listing_id), ...span, perhapsTo: span.to + mostPreparation };
          const more = { who: 'bank', until: null, looseFrom: -Infinity };
          const stay = { ...place, ids: [orderOf(id), id], ...more };
          const asked = {
            ...{ who: 'bank', since, by: Infinity },
            did: 'change' as const,
            id,
            stay,
            isFixed: false,
            isNear: false,
          };
          return { name: 'bank', begin: Math.max(-1, ...moments) + 0.5, end: Infinity, asked };
        }),
    ],
  }));
};
