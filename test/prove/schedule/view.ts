import type { Item } from '../memory/values.ts';
import type { HourSpan, View, ViewEntry } from './history.ts';
import { homeOf, type HomeName, hourSpan, monthStart } from './scene.ts';

/** Reads the table without the service's own code. */
export const viewOf = (items: readonly Item[], now: number): View => {
  const of = (entity: string) => items.filter((item) => item['entity'] === entity);
  return {
    taken: takenHours(of('CalendarMonth'), now),
    entries: of('AvailabilityEntry')
      .map(entryOf)
      .filter(({ until }) => until === null || until > now),
    bookings: of('Reservation').map((item) => ({
      id: Number(item['reservation_id']),
      order: Number(item['order_id']),
      home: homeOf(Number(item['listing_id'])) as HomeName,
      state: String(item['state']),
      ...spanOf(item),
    })),
    events: of('Event').map((item) => ({
      type: String(item['event_type']),
      id: (item['data'] as { id: number }).id,
    })),
  };
};

const spanOf = (item: Item): HourSpan => {
  const { from, to } = hourSpan({ from: String(item['start_at']), to: String(item['end_at']) });
  return { from, to: to + Number(item['preparation_hours'] ?? 0) };
};

const entryOf = (item: Item): ViewEntry => ({
  id: Number(item['availability_id']),
  home: homeOf(Number(item['listing_id'])) as HomeName,
  kind: item['state'] as ViewEntry['kind'],
  until: item['locked_until'] as number | null,
  reservation: item['reservation_id'] as number | null,
  ...spanOf(item),
});

interface Lock {
  from: number;
  to: number;
  until: number;
}

const takenHours = (months: readonly Item[], now: number): View['taken'] => {
  const hours = new Map<string, Set<number>>();
  const take = (listing: number, hour: number) => {
    const home = homeOf(listing);
    hours.set(home, (hours.get(home) ?? new Set()).add(hour));
  };
  for (const item of months) {
    const zero = monthStart(String(item['month']));
    const expired = Object.values(item['locks'] as Record<string, Lock>).filter(({ until }) => until <= now);
    for (const [day, bits] of Object.entries(item['days'] as Record<string, Uint8Array>))
      for (const bit of bitsOf(bits)) {
        const hour = (Number(day) - 1) * 24 + bit;
        if (!expired.some(({ from, to }) => from <= hour && hour < to))
          take(Number(item['listing_id']), zero + hour);
      }
  }
  return Object.fromEntries([...hours].map(([home, set]) => [home, spansOf(set)]));
};

const bitsOf = (bits: Uint8Array): number[] =>
  [...bits].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) % 2 === 1).map((bit) => at * 8 + bit),
  );

export const spansOf = (hours: Iterable<number>): HourSpan[] => {
  const spans: HourSpan[] = [];
  for (const hour of [...hours].sort((one, other) => one - other)) {
    const last = spans.at(-1);
    if (last?.to === hour) last.to = hour + 1;
    else spans.push({ from: hour, to: hour + 1 });
  }
  return spans;
};
