import type { Context, Dependencies } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { change, create, present, remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { dateOf, nightsBetween, toLocal } from '../../platform/time/time.ts';
import { cancelReservations, changedReservation, changeReservation } from '../booking/index.ts';
import {
  findOrder,
  freezeQuote,
  type Order,
  type OrderItem,
  type Reservation,
  ReservationEntity,
  thawQuote,
} from '../booking/model.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  CalendarDraft,
  importNote,
  type LocalRange,
  overlaps,
} from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { type AdoptedStay, closesTooMany, hasBegun, isClosed, timeByEvent } from './adopted-stays.ts';
import {
  fences,
  importer,
  Outdated,
  restOf,
  stillBlocked,
  takeIfCurrent,
  unlessTaken,
} from './apply-blocks.ts';
import type { FeedConflict, FollowedFeed } from './ical.store.ts';
import type { FeedBlockPlan } from './plan-feed-blocks.ts';
import { gapsIn } from './stretches.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

interface Led extends AdoptedStay {
  listing: Listing;
  feed: FollowedFeed;
  /** The feed's own blocks. */
  own: readonly AvailabilityEntry[];
  /** Too many of them are closed at once: none is cancelled for it, and each is a conflict. */
  isDoubted: boolean;
}

/** What became of an adopted stay: it is as its event says, was changed to be so, cannot be, or waits for the next fetch to say the same. */
type Outcome = 'same' | 'changed' | 'astray' | 'waits';

/**
 * Lets adopted stays follow their events (D120): a stay whose event has moved moves, where the new time is free or the feed's own;
 * one whose event is gone, or only closes its time at two good fetches in a row, is cancelled, unless it has started. Nothing becomes free here: what a stay leaves is a block of the
 * feed, which the next plan lifts if no event wants it. Stays that cannot follow are reported as conflicts. Those of a feed that is
 * removed are the host's from then on.
 */
export const followEvents = async (
  deps: Deps,
  { listing, feed, plan }: { listing: Listing; feed: FollowedFeed; plan: FeedBlockPlan },
): Promise<{ isChanged: boolean; astray: FeedConflict[]; isLeft: boolean }> => {
  const astray: FeedConflict[] = [];
  let [isChanged, isLeft] = [false, false];
  const isDoubted = closesTooMany(plan.adopted, feed);
  for (const adopted of plan.adopted) {
    const led = { ...adopted, listing, feed, own: plan.own, isDoubted };
    const outcome = await unlessTaken(() => retryOnConflict(() => follow(deps, led)));
    isChanged ||= outcome === 'changed';
    isLeft ||= outcome === 'waits';
    const { start_at, end_at, reservation_id: id } = adopted.entry;
    if (outcome === 'astray' || (isDoubted && isClosed(adopted, feed)))
      astray.push({ start_at, end_at, booking_id: id });
  }
  return { isChanged, astray, isLeft };
};

const follow = async (deps: Deps, led: Led): Promise<Outcome> => {
  const { entry, event, listing, feed } = led;
  const now = toLocal(deps.clock.now(), listing.timezone);
  if (feed.state === 'REMOVING') return leave(deps, led);
  const isGone = !event || (await isClosedTwice(deps, led));
  if (isGone === 'waits') return isGone;
  const time = !isGone && timeByEvent(entry, event, now);
  if (!isGone && !time) return rename(deps, led, event.key);
  const { order, reservations } = await findOrder(deps.table, entry.order_id ?? 0);
  const stay = reservations.find(({ reservation_id }) => reservation_id === entry.reservation_id);
  // Another run has done it, or the stay has ended early.
  if (!order || !stay || !following.includes(stay.state)) return 'same';
  if (time && stay.state === 'CHECKED_IN' && time.start_at !== stay.start_at) return 'astray';
  if (time) return move(deps, led, { order, stay, time, event_key: event.key });
  if (stay.state === 'CHECKED_IN' || hasBegun(entry, now)) return 'astray';
  await cancel(deps, led, stay, order);
  return 'changed';
};

const following: readonly string[] = ['CONFIRMED', 'CHECKED_IN'];

const systemOf = ({ table, clock }: Deps): Pick<Context, 'table' | 'clock' | 'caller'> => ({
  ...{ table, clock },
  caller: { kind: 'system', name: 'calendar-import' },
});

/** The guest may leave meanwhile: what is left of the time may be another item. */
const isThere = { when: present(), onConflict: () => new Outdated() };

/** Whether this and the good fetch before say that the time of a stay is only closed; `waits`: it is the first that does. */
const isClosedTwice = async ({ table }: Deps, led: Led): Promise<boolean | 'waits'> => {
  const { entry, listing, feed } = led;
  const { closed_in: closedIn } = entry;
  const noted = async (now: number | undefined): Promise<void> =>
    table.transact([
      change(AvailabilityEntryEntity, entry, { set: { closed_in: now } }, isThere),
      ...fences(feed, listing),
    ]);
  if (led.isDoubted || !isClosed(led, feed)) {
    if (closedIn !== undefined && led.event?.summary !== undefined) await noted(undefined);
    return false;
  }
  // The feed has one version in all rounds of a synchronisation.
  if (closedIn !== undefined && closedIn !== feed.version && feed.failures === 0) return true;
  if (closedIn !== feed.version) await noted(feed.version);
  return 'waits';
};

/** The event has another UID. */
const rename = async ({ table }: Deps, { entry, listing, feed }: Led, key: string): Promise<Outcome> => {
  if (entry.event_key === key) return 'same';
  const named = change(AvailabilityEntryEntity, entry, { set: { event_key: key } }, isThere);
  await table.transact([named, ...fences(feed, listing)]);
  return 'same';
};

/** The calendar is followed no more: the stay is the host's own. */
const leave = async ({ table }: Deps, { entry, listing, feed }: Led): Promise<Outcome> => {
  const ids = { order_id: entry.order_id ?? 0, reservation_id: entry.reservation_id ?? 0 };
  await table.transact([
    change(
      AvailabilityEntryEntity,
      entry,
      { set: { feed_id: undefined, event_key: undefined, by_text: undefined, closed_in: undefined } },
      isThere,
    ),
    change(ReservationEntity, ids, { set: { feed_id: undefined } }),
    ...fences(feed, listing),
  ]);
  return 'changed';
};

const cancel = async (
  deps: Deps,
  { entry, listing, feed }: Led,
  stay: Reservation,
  order: Order,
): Promise<void> => {
  const block: AvailabilityEntry = {
    ...unled(entry),
    state: 'BLOCKED',
    reservation_id: null,
    order_id: null,
    note: importNote(new URL(feed.url).host),
  };
  const found = { order, reservations: [stay], payment: undefined, separatePayments: [] };
  const { writes } = await cancelReservations(systemOf(deps), found, goneReason, { block });
  await deps.table.transact([...writes, ...fences(feed, listing)]);
};

/** An entry without what it had as a stay. */
const unled = ({
  event_key: _,
  by_text: __,
  closed_in: ___,
  guest_user_id: ____,
  ...rest
}: AvailabilityEntry): AvailabilityEntry => rest;

const goneReason = 'The platform has cancelled it.';

interface Move {
  order: Order;
  stay: Reservation;
  time: LocalRange;
  event_key: string;
}

const move = async (deps: Deps, led: Led, { order, stay, time, event_key }: Move): Promise<Outcome> => {
  const { entry, listing, feed, own } = led;
  const { table, clock } = deps;
  // A guest in house came before the event begins (D148).
  const takes = { ...time, start_at: stay.taken_from ?? time.start_at };
  const wanted = { ...entry, ...takes };
  const met = own.filter((block) => overlaps(block, takes));
  const draft = await CalendarDraft.load(table, [entry, wanted, ...met], clock.now());
  for (const one of [entry, ...met]) draft.free(one);
  if (draft.taken(wanted).length > 0) return 'astray';
  takeIfCurrent(draft, wanted);
  const left = [entry, ...met].flatMap((one) =>
    gapsIn(one, [takes]).map((gap) => leftOf(deps, feed, one, gap)),
  );
  for (const block of left) draft.take(block);
  const item = order.items.find(({ reservation_id }) => reservation_id === stay.reservation_id);
  if (!item) throw new Error(`the order of ${stay.reservation_id} does not have it`);
  const ctx = systemOf(deps);
  const changed = changedReservation(ctx, {
    order,
    before: stay,
    item: movedItem({ ...item, calendar_id: stay.calendar_id }, time),
    payment: { payment_status: stay.payment_status, pay_until: stay.pay_until, postings: [] },
  });
  const writes: Write[] = [
    ...changeReservation(ctx, changed, importer, {
      event_key,
      ...(entry.by_text && { by_text: true as const }),
    }),
    ...met.map((block) => remove(AvailabilityEntryEntity, block, stillBlocked)),
    ...left.map((block) => create(AvailabilityEntryEntity, block)),
    ...draft.writes(),
    ...fences(feed, listing),
  ];
  await table.transact(writes);
  return 'changed';
};

/** Time that a stay, or a block in its way, does not have any more: a block of the feed until the next plan. */
const leftOf = (
  { clock }: Deps,
  feed: FollowedFeed,
  entry: AvailabilityEntry,
  gap: LocalRange,
): AvailabilityEntry => {
  const note = importNote(new URL(feed.url).host);
  return {
    ...unled(restOf(entry, { ...entry, ...gap }, clock)),
    availability_id: newId(clock),
    state: 'BLOCKED',
    reservation_id: null,
    order_id: null,
    note,
  };
};

/** The platform names no other price. */
const movedItem = (item: OrderItem, { start_at, end_at }: LocalRange): OrderItem => {
  const dates = { check_in_date: dateOf(start_at), check_out_date: dateOf(end_at) };
  const nights = nightsBetween(dates.check_in_date, dates.check_out_date);
  return {
    ...{ ...item, start_at, end_at },
    request: { ...item.request, ...dates },
    quote: freezeQuote({ ...thawQuote(item.quote), ...dates, start_at, end_at, nights }),
  };
};
