import { type Item, itemsOf } from '../../memory/values.ts';
import { type Answers, meant, type Sent } from '../client.ts';

/** A stay as an event says it was or is. */
interface Version {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  start_at: string;
  end_at: string;
  guest_number: number;
  total_price: number;
}

interface Changed {
  event_type: 'booking.changed';
  actor?: string;
  data: { id: number; was: Version; now: Version };
}

interface Stay extends Omit<Version, 'total_price'> {
  reservation_id: number;
  payment_method?: string;
  order_id: number;
  total: number;
  changes?: number;
}

/** The answer to a change. */
interface Answer {
  id: number;
  listing_id: number;
  start_at: string;
  end_at: string;
  total_price: number;
  /** With the page of a change that is made when it is paid. */
  change: { difference: number; payment_url?: string | null };
}

const verbs = new Set(['changeBooking', 'changeExternalBooking', 'addAdjustment', 'removeAdjustment']);

const versionText = (version: Version): string =>
  JSON.stringify([
    ...[version.listing_id, version.check_in_date, version.check_out_date],
    ...[version.start_at, version.end_at, version.guest_number, version.total_price],
  ]);

/** What an answer and its event have in common. */
const effectText = (of: Pick<Answer, 'listing_id' | 'start_at' | 'end_at' | 'total_price'>, more: number) =>
  [of.listing_id, of.start_at, of.end_at, of.total_price, more].join();

/**
 * Changes of a stay: each that was answered has one event with the difference that its caller was answered, and one after
 * another they lead from the price at which the stay was booked to the stay as it is.
 */
export const changeProblems = (items: readonly Item[], { sent }: Pick<Answers, 'sent'>): string[] => {
  const asked = Map.groupBy(
    sent.map(meant).filter(({ request }) => verbs.has(request.verb)),
    ({ request }) => Number(/\/bookings\/(\d+)/.exec(request.path)?.[1]),
  );
  const events = items.filter(({ event_type }) => event_type === 'booking.changed') as unknown as Changed[];
  const ofStay = Map.groupBy(events, ({ data }) => data.id);
  const sold = new Map(
    items
      .filter(({ entity, event_type }) => entity === 'Event' && event_type === 'booking.created')
      .map(({ data }) => data as Version & { id: number })
      .map((data) => [data.id, data.total_price]),
  );
  return itemsOf<Stay>(items, 'Reservation').flatMap((stay) => {
    const { reservation_id: id } = stay;
    const own = ofStay.get(id) ?? [];
    const requests = [...(asked.get(id) ?? []), ...(asked.get(stay.order_id) ?? [])];
    return [
      ...(own.length === (stay.changes ?? 0)
        ? []
        : [`stay ${id} was changed ${stay.changes ?? 0} times, which ${own.length} events say`]),
      ...orderProblems(stay, sold.get(id), own),
      ...answerProblems(id, requests, own.filter(isAsked(stay))),
    ];
  });
};

/** A stay of a platform is moved by its calendar, without a request. */
const isAsked =
  ({ payment_method: method }: Stay) =>
  ({ actor }: Changed): boolean =>
    method !== 'PLATFORM' || actor !== 'system:calendar-import';

/** The events in some order are a way from the booking to the present stay. */
const orderProblems = (stay: Stay, sold: number | undefined, events: readonly Changed[]): string[] => {
  const last = versionText({ ...stay, total_price: stay.total });
  const isWay = (at: string, left: readonly Changed[]): boolean =>
    left.length === 0
      ? at === last
      : left.some(
          (one, place) =>
            versionText(one.data.was) === at && isWay(versionText(one.data.now), left.toSpliced(place, 1)),
        );
  if (events.length === 0)
    return sold === undefined || sold === stay.total
      ? []
      : [`stay ${stay.reservation_id} was sold at ${sold}, costs ${stay.total}, and no change says why`];
  const starts = events
    .map(({ data }) => data.was)
    .filter(({ total_price }) => total_price === (sold ?? total_price));
  return starts.some((start) => isWay(versionText(start), events))
    ? []
    : [`the changes of stay ${stay.reservation_id} do not lead from ${sold} to ${last}`];
};

const answerProblems = (id: number, requests: readonly Sent[], events: readonly Changed[]): string[] => {
  const outcomes = [...Map.groupBy(requests, ({ who, request }) => `${who.name} ${request.key}`).values()];
  const answers = outcomes.flatMap((same) => {
    const done = same.find(({ reply }) => reply?.status === 200)?.reply;
    return done ? [done.json as Answer] : [];
  });
  const isOpen = ({ reply }: Sent): boolean => !reply || reply.status >= 500;
  const unknown = outcomes.filter(
    (same) => same.every(({ reply }) => reply?.status !== 200) && same.some(isOpen),
  );
  const said = Map.groupBy(events, ({ data: { was, now } }) =>
    effectText(now, now.total_price - was.total_price),
  );
  const made = answers.filter(({ change }) => change.difference !== 0 && change.payment_url === undefined);
  // The answer to a guest's link has the difference alone.
  const [brief, whole] = [false, true].map((hasTimes) =>
    made.filter((one) => 'start_at' in one === hasTimes),
  );
  const wanted = Map.groupBy(whole ?? [], (answer) => effectText(answer, answer.change.difference));
  const hasExtras = requests.some(({ request }) => 'extra_service_ids' in (request.body ?? {}));
  return [
    ...[...wanted]
      .filter(([effect, same]) => same.length > (said.get(effect)?.length ?? 0))
      .map(
        ([effect, same]) =>
          `${same.length} changes of stay ${id} to ${effect} were answered, and not announced`,
      ),
    ...(brief ?? [])
      .filter(
        ({ change }) =>
          !events.some(({ data }) => data.now.total_price - data.was.total_price === change.difference),
      )
      .map(
        ({ change }) =>
          `a change of stay ${id} by ${change.difference} was answered to a link, and not announced`,
      ),
    ...(events.length > answers.length + unknown.length
      ? [`stay ${id} has ${events.length} events of ${answers.length} changes`]
      : []),
    ...events
      .filter(({ data: { was, now } }) => versionText(was) === versionText(now) && !hasExtras)
      .map(
        ({ data }) => `a change of stay ${id} was announced that changed nothing: ${versionText(data.now)}`,
      ),
  ];
};
