import { type DateRange, datesOf } from '../../../../shared/platform/time/date-ranges.ts';
import { addDays, nightsBetween } from '../../../../shared/platform/time/time.ts';
import { idIn, type Item, itemsOf } from '../../linear/service-items.ts';
import type { Answers, Reply, Sent } from '../client.ts';

type Value = number | boolean | null | undefined;
type Day = Readonly<Record<string, Value>>;

/** The rules of a home as its host has sent them. */
interface Rules {
  default?: Day;
  date_rules?: (DateRange & Day)[];
  min_notice_hours?: number;
  booking_window_days?: number;
}

/** Rules, and when they may have been those of the home: requests by their places among all. */
interface Put {
  home: number;
  begin: number;
  end: number;
  rules: Rules;
}

interface Reason {
  listing_id: number;
  rule: string;
  date: string;
  allowed: number | boolean;
}

interface Refusal {
  details: { reasons: Reason[]; nearest: Item[] };
}

const wholeStay = ['min_notice_hours', 'booking_window_days'];

const bookings = new Set(['createCheckout', 'confirmCheckout', 'bookForGuest', 'createExternalBooking']);

/**
 * Stay rules as their callers saw them: a stay that is refused breaks rules of then, and one that is booked without a hold does
 * not, nor does one that is named instead.
 */
export const stayRuleProblems = ({ sent }: Pick<Answers, 'sent'>): string[] => {
  const puts = sent.flatMap(putOf);
  return attemptsOf(sent).flatMap((one) => {
    const { request, reply } = one;
    if (reply?.code === 'STAY_NOT_ALLOWED') return refusalProblems(one, reply, puts);
    const isBound = bookings.has(request.verb) && !('override_rules' in (request.body ?? {}));
    const isMade = reply?.status === 201 && isBound;
    return isMade && !mayBeHeld(one, sent) ? bookedProblems(one, puts) : [];
  });
};

const putOf = ({ request, begin, end, reply }: Sent): Put[] => {
  if (request.verb !== 'putStayRules' || (reply && reply.status >= 400 && reply.status < 500)) return [];
  const isDone = reply?.status === 200;
  const rules = request.body as Rules;
  return [{ home: idIn(request.path, 'listings'), begin, end: isDone ? end : Infinity, rules }];
};

/** Requests with one key are one: it may have been decided at any of them. */
const attemptsOf = (sent: readonly Sent[]): Sent[] => {
  const groups = Map.groupBy(sent, ({ who, request, begin }) =>
    request.key === undefined ? `${begin}` : `${who.name} ${request.key}`,
  );
  return [...groups.values()].flatMap((same) => {
    const decided = same.find(({ reply }) => reply && reply.status < 500 && reply.status !== 429);
    return decided ? [{ ...decided, begin: Math.min(...same.map(({ begin }) => begin)) }] : [];
  });
};

/** The rules that a home may have had at some moment of a request; each replaces the ones before. */
const rulesOf = (home: number, { begin, end }: Sent, puts: readonly Put[]): Rules[] => {
  const own = [{ home, begin: -1, end: -1, rules: {} }, ...puts.filter((put) => put.home === home)];
  return own
    .filter((put) => put.begin < end)
    .filter((put) => !own.some((later) => later.begin > put.end && later.end < begin))
    .map(({ rules }) => rules);
};

/** A later rule wins over an earlier one, field by field. */
const valueOn = ({ date_rules = [], default: usual = {} }: Rules, rule: string, date: string): Value => {
  const found = date_rules.findLast(
    (one) => (one[rule] ?? null) !== null && datesOf([withWeekdays(one)]).includes(date),
  );
  return found?.[rule] ?? usual[rule];
};

const withWeekdays = ({ date_from, date_to, weekdays }: DateRange): DateRange => ({
  ...{ date_from, date_to, weekdays: weekdays ?? null },
});

/** Whether day rules allow a stay; stays of some hours are always allowed. */
const allow = (rules: Rules, { check_in_date: from, check_out_date: to }: Item): boolean => {
  const nights = nightsBetween(from, to);
  if (nights < 1) return true;
  const [least, most] = [valueOn(rules, 'min_nights', from), valueOn(rules, 'max_nights', from)];
  const isClosed = Array.from({ length: nights }, (_, at) => addDays(from, at)).some(
    (date) => valueOn(rules, 'closed', date) === true,
  );
  return (
    nights >= Number(least ?? 0) &&
    nights <= Number(most ?? Infinity) &&
    valueOn(rules, 'closed_to_arrival', from) !== true &&
    valueOn(rules, 'closed_to_departure', to) !== true &&
    !isClosed
  );
};

/** Whether a stay breaks the rule for which it was refused. */
const breaks = (
  { rule, date, allowed }: Reason,
  { check_in_date: from, check_out_date: to }: Item,
): boolean => {
  if (rule === 'min_nights') return date === from && nightsBetween(from, to) < Number(allowed);
  if (rule === 'max_nights') return date === from && nightsBetween(from, to) > Number(allowed);
  if (rule === 'closed_to_arrival') return date === from;
  if (rule === 'closed_to_departure') return date === to;
  return rule !== 'closed' || (from <= date && date < to);
};

const refusalProblems = (one: Sent, reply: Reply, puts: readonly Put[]): string[] => {
  const { reasons, nearest } = (reply.json as Refusal).details;
  const items = itemsOf(one.request) ?? (one.request.body as { items?: Item[] }).items;
  const isRule = ({ listing_id, rule, date, allowed }: Reason): boolean =>
    rulesOf(listing_id, one, puts).some((rules) =>
      wholeStay.includes(rule)
        ? rules[rule as 'min_notice_hours'] === allowed
        : valueOn(rules, rule, date) === allowed,
    );
  const name = `${one.who.name} ${one.request.verb}`;
  return [
    ...reasons
      .filter((reason) => !isRule(reason))
      .map((reason) => `${name} was refused for ${JSON.stringify(reason)}, which is no rule of then`),
    ...reasons
      .filter(
        (reason) =>
          items && !items.some((item) => item.listing_id === reason.listing_id && breaks(reason, item)),
      )
      .map((reason) => `${name} was refused for ${JSON.stringify(reason)}, which it does not break`),
    ...nearest
      .filter((stay) => !rulesOf(stay.listing_id, one, puts).some((rules) => allow(rules, stay)))
      .map((stay) => `${name} was offered ${JSON.stringify(stay)}, which the rules refuse`),
    ...(reasons.length === 0 ? [`${name} was refused for no rule`] : []),
  ];
};

/** A hold keeps what the rules were at its time; one of the same caller may hold the stay. */
const mayBeHeld = ({ who, request, begin }: Sent, sent: readonly Sent[]): boolean => {
  if (request.verb !== 'confirmCheckout') return false;
  const items = itemsOf(request);
  if (!items) return true;
  const homes = items.map(({ listing_id }) => listing_id);
  return sent.some(
    (other) =>
      other.who.name === who.name &&
      other.request.verb === 'createCheckout' &&
      other.begin < begin &&
      itemsOf(other.request)?.some(({ listing_id }) => homes.includes(listing_id)),
  );
};

const bookedProblems = (one: Sent, puts: readonly Put[]): string[] =>
  (itemsOf(one.request) ?? [])
    .filter((item) => !rulesOf(item.listing_id, one, puts).some((rules) => allow(rules, item)))
    .map(
      (item) =>
        `${one.who.name} ${one.request.verb} was taken, which the rules refuse: ${JSON.stringify(item)}`,
    );
