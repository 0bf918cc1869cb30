import type { Item } from '../../memory/values.ts';
import type { HourSpan, View, ViewEntry } from '../../schedule/history.ts';
import { overlap } from '../../schedule/model.ts';
import { homeOf, hourText } from '../../schedule/scene.ts';
import { spansOf, viewOf } from '../../schedule/view.ts';

/** A guest who leaves early, or does not come, returns the rest of the stay, so an ended one may have no entry. */
const open = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);
const ended = new Set(['CHECKED_OUT', 'COMPLETED', 'NO_SHOW']);

const hourMs = 3_600_000;
/** Hour 0 of the calendar, in the zone of the listings. */
const firstHour = Date.parse('2027-01-01T00:00:00+07:00');

const spanText = ({ from, to }: HourSpan): string => `${hourText(from)}..${hourText(to)}`;

/** The parent of each listing at present. */
type Parents = ReadonlyMap<string, string>;

const parentsOf = (items: readonly Item[]): Parents =>
  new Map(
    items
      .filter(({ entity, parent_listing_id }) => entity === 'Listing' && Number(parent_listing_id) > 0)
      .map(({ id, parent_listing_id }) => [String(id), String(parent_listing_id)]),
  );

/** Listings that cannot be taken at the same time: a home, its parent and its children. */
const exclude = (parents: Parents, one: string, other: string): boolean =>
  one === other || parents.get(one) === other || parents.get(other) === one;

/** Returns shared hours, and differences between calendar, entries, orders and bookings, at any moment. */
export const nightProblems = (items: readonly Item[], now: number): string[] => {
  const view = viewOf(items, now);
  // What is past may have been of another family.
  const ahead = view.entries.filter(({ to }) => firstHour + to * hourMs > now);
  return [
    ...sharedHours(ahead, parentsOf(items), heldFor(items)),
    ...calendarDifferences(view),
    ...stayDifferences(items, view),
    ...openBeforeStays(items, view, now),
    ...brokenOrders(items),
  ];
};

/** The stay for whose change an entry is held, by the id of the entry. */
type HeldFor = ReadonlyMap<number, number>;

const heldFor = (items: readonly Item[]): HeldFor =>
  new Map(
    items
      .filter(({ entity, change }) => entity === 'Order' && change !== undefined)
      .map(({ change }) => change as { reservation_id: number; holds: { availability_id: number }[] })
      .flatMap(({ reservation_id, holds }) =>
        holds.map(({ availability_id }) => [availability_id, reservation_id] as const),
      ),
  );

/** Two entries that exclude each other never overlap, except a stay and what is held for its change. */
const sharedHours = (entries: readonly ViewEntry[], parents: Parents, held: HeldFor): string[] => {
  const isOfOne = (one: ViewEntry, other: ViewEntry): boolean =>
    other.reservation !== null && held.get(one.id) === other.reservation;
  return entries.flatMap((one, at) =>
    entries
      .slice(at + 1)
      .filter((other) => exclude(parents, one.home, other.home) && overlap(one, other))
      .filter((other) => !isOfOne(one, other) && !isOfOne(other, one))
      .map(
        (other) =>
          `${one.home} ${one.kind} ${spanText(one)} and ${other.home} ${other.kind} ${spanText(other)} share an hour`,
      ),
  );
};

/** The hours of the calendar are those of the entries. */
const calendarDifferences = ({ taken, entries }: View): string[] => {
  const homes = new Set([...Object.keys(taken), ...entries.map(({ home }) => home)]);
  return [...homes].flatMap((home) => {
    const hours = new Set<number>();
    for (const { from, to } of entries.filter((entry) => entry.home === home))
      for (let hour = from; hour < to; hour++) hours.add(hour);
    const [calendar, listed] = [taken[home] ?? [], spansOf(hours)];
    const texts = [calendar.map(spanText).join(), listed.map(spanText).join()];
    return texts[0] === texts[1] ? [] : [`the calendar of ${home} has ${texts[0]}, its entries ${texts[1]}`];
  });
};

/** Each open stay has its entry, and each entry of a stay an open stay. */
const stayDifferences = (items: readonly Item[], { entries }: View): string[] => {
  const stays = items.filter(({ entity }) => entity === 'Reservation');
  const idsIn = (states: ReadonlySet<string>): Set<number | null> =>
    new Set(
      stays.filter(({ state }) => states.has(String(state))).map((stay) => Number(stay['reservation_id'])),
    );
  const [openIds, endedIds] = [idsIn(open), idsIn(ended)];
  const entered = new Set(
    entries.flatMap(({ kind, reservation }) => (kind === 'BOOKED' ? [reservation] : [])),
  );
  return [
    ...[...openIds].filter((id) => !entered.has(id)).map((id) => `stay ${id} has no entry`),
    ...[...entered]
      .filter((id) => !openIds.has(id) && !endedIds.has(id))
      .map((id) => `an entry is of stay ${id}, which is not open`),
  ];
};

/** Hours ahead, before a stay begins whose guest is in house, are free to none: one may have come early. */
const openBeforeStays = (items: readonly Item[], { taken }: View, now: number): string[] => {
  const parents = parentsOf(items);
  const hourOf = (instant: number): number => Math.floor((instant - firstHour) / hourMs);
  return items
    .filter(({ entity, state }) => entity === 'Reservation' && state === 'CHECKED_IN')
    .flatMap((stay) => {
      const home = homeOf(Number(stay['listing_id']));
      const begins = hourOf(Date.parse(`${String(stay['start_at'])}+07:00`));
      const first = Math.max(hourOf(now), hourOf(Date.parse(String(stay['checked_in_at']))));
      const hours = Object.entries(taken).flatMap(([other, spans]) =>
        exclude(parents, home, other) ? spans : [],
      );
      const open = Array.from({ length: Math.max(0, begins - first) }, (_, at) => first + at).filter(
        (hour) => !hours.some(({ from, to }) => from <= hour && hour < to),
      );
      return open.map((hour) => `${home} is free at ${hourText(hour)}, and its guest is in house`);
    });
};

/** An order is booked as a whole, or not at all. */
const brokenOrders = (items: readonly Item[]): string[] => {
  const stays = Map.groupBy(
    items.filter(({ entity }) => entity === 'Reservation'),
    (stay) => Number(stay['order_id']),
  );
  return items
    .filter(({ entity }) => entity === 'Order')
    .flatMap((order) => {
      const id = Number(order['order_id']);
      const wanted = order['state'] === 'BOOKED' ? (order['items'] as object[]).length : 0;
      const found = stays.get(id)?.length ?? 0;
      return found === wanted
        ? []
        : [`order ${id} is ${String(order['state'])} with ${found} stays, not ${wanted}`];
    });
};
