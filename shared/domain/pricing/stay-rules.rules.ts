import { dateOfDay, dayNumber, hourMs, toInstant, today } from '../../platform/time/time.ts';
import { type BrokenRule, type ListedStayRules, type StayRules, unrestricted } from './stay-rules.schema.ts';

const none: ListedStayRules = {
  default: unrestricted,
  min_notice_hours: null,
  booking_window_days: null,
  date_rules: [],
};

/** Returns the stay rules of a listing as the API answers them. */
export const presentStayRules = (listingId: number, rules: ListedStayRules = none): StayRules => ({
  listing_id: listingId,
  ...rules,
});

/** Rules of some dates as numbers, days since 1970; NaN does not restrict. */
export interface DayRule {
  from: number;
  to: number;
  /** Bit 0 is Sunday. */
  weekdays: number;
  min_nights: number;
  max_nights: number;
  /** 0 and 1 for false and true. */
  closed_to_arrival: number;
  closed_to_departure: number;
  closed: number;
}

/** The rules of a listing as numbers, so that search checks thousands of listings with the function of a checkout (D78). */
export interface StayLimits {
  /** A later one wins, field by field. */
  days: readonly DayRule[];
  min_notice_hours: number;
  booking_window_days: number;
}

type DayRuleName = Exclude<keyof DayRule, 'from' | 'to' | 'weekdays'>;

const everyDay = 127;
/** Beyond every date that can be booked. */
const lastDay = 1_000_000;

const numberOf = (value: number | boolean | null): number => (value === null ? NaN : Number(value));

type Fields = Readonly<Record<DayRuleName, number | boolean | null>>;

const fieldsOf = (rule: Fields): Record<DayRuleName, number> => ({
  min_nights: numberOf(rule.min_nights),
  max_nights: numberOf(rule.max_nights),
  closed_to_arrival: numberOf(rule.closed_to_arrival),
  closed_to_departure: numberOf(rule.closed_to_departure),
  closed: numberOf(rule.closed),
});

const maskOf = (weekdays: readonly number[] | null): number =>
  weekdays === null ? everyDay : weekdays.reduce((mask, day) => mask | (1 << day), 0);

/** Returns the rules of a listing as numbers. */
export const limitsOf = (rules: ListedStayRules): StayLimits => ({
  days: [
    { from: 0, to: lastDay, weekdays: everyDay, ...fieldsOf(rules.default) },
    ...rules.date_rules.map((rule) => ({
      from: dayNumber(rule.date_from),
      to: dayNumber(rule.date_to),
      weekdays: maskOf(rule.weekdays),
      ...fieldsOf(rule),
    })),
  ],
  min_notice_hours: numberOf(rules.min_notice_hours),
  booking_window_days: numberOf(rules.booking_window_days),
});

/** What the rules ask of a stay; days since 1970. */
export interface LimitedStay {
  arrival: number;
  departure: number;
  /** Milliseconds until it begins. */
  beginsIn: number;
  /** Days from today, in the listing's time zone, to the arrival. */
  daysAhead: number;
}

interface StayDates {
  check_in_date: string;
  check_out_date: string;
  /** Local. */
  start_at: string;
}

/** Returns what the rules ask of a stay; `now` in epoch milliseconds. */
export const limitedStay = (timezone: string, stay: StayDates, now: number): LimitedStay => {
  const arrival = dayNumber(stay.check_in_date);
  return {
    arrival,
    departure: dayNumber(stay.check_out_date),
    beginsIn: toInstant(stay.start_at, timezone) - now,
    daysAhead: arrival - dayNumber(today(now, timezone)),
  };
};

/** 1970-01-01 was a Thursday. */
const weekdayBit = (day: number): number => 1 << ((day + 4) % 7);

/** Returns the value of the last rule that has one for the day; NaN if none has. */
export const limitOn = ({ days }: StayLimits, name: DayRuleName, day: number): number => {
  for (let at = days.length - 1; at >= 0; at--) {
    const rule = days[at];
    if (!rule || day < rule.from || day > rule.to || (rule.weekdays & weekdayBit(day)) === 0) continue;
    const value = rule[name];
    if (!Number.isNaN(value)) return value;
  }
  return NaN;
};

interface Broken {
  rule: BrokenRule['rule'];
  day: number;
  value: number;
}

/** Returns the rules that a stay breaks, of closed nights the first one; none for a stay within one date (D78). */
const brokenBy = (limits: StayLimits, stay: LimitedStay): Broken[] => {
  const { arrival, departure } = stay;
  const nights = departure - arrival;
  if (nights < 1) return [];
  const [least, most] = [limitOn(limits, 'min_nights', arrival), limitOn(limits, 'max_nights', arrival)];
  return [
    ...(nights < least ? [{ rule: 'min_nights' as const, day: arrival, value: least }] : []),
    ...(nights > most ? [{ rule: 'max_nights' as const, day: arrival, value: most }] : []),
    ...brokenAtArrival(limits, stay),
    ...closedOn(limits, 'closed_to_departure', departure),
    ...firstClosed(limits, stay),
  ];
};

const closedOn = (
  limits: StayLimits,
  rule: 'closed' | 'closed_to_arrival' | 'closed_to_departure',
  day: number,
): Broken[] => (limitOn(limits, rule, day) === 1 ? [{ rule, day, value: 1 }] : []);

const firstClosed = (limits: StayLimits, { arrival, departure }: LimitedStay): Broken[] => {
  for (let day = arrival; day < departure; day++) {
    const closed = closedOn(limits, 'closed', day);
    if (closed.length > 0) return closed;
  }
  return [];
};

/** Returns the rules that no stay keeps which begins so. */
const brokenAtArrival = (
  limits: StayLimits,
  { arrival: day, beginsIn, daysAhead }: LimitedStay,
): Broken[] => {
  const { min_notice_hours: notice, booking_window_days: window } = limits;
  return [
    ...closedOn(limits, 'closed_to_arrival', day),
    ...(beginsIn < notice * hourMs ? [{ rule: 'min_notice_hours' as const, day, value: notice }] : []),
    ...(daysAhead > window ? [{ rule: 'booking_window_days' as const, day, value: window }] : []),
  ];
};

/** Whether the rules let a stay begin so, however long it is. */
export const isArrivalAllowed = (limits: StayLimits, stay: LimitedStay): boolean =>
  brokenAtArrival(limits, stay).length === 0;

/** Whether the rules take a stay. */
export const isStayAllowed = (limits: StayLimits, stay: LimitedStay): boolean =>
  brokenBy(limits, stay).length === 0;

const flags: ReadonlySet<string> = new Set(['closed_to_arrival', 'closed_to_departure', 'closed']);

/** Returns the rules of a listing that a stay breaks, with their values (D78). */
export const brokenRules = (listingId: number, limits: StayLimits, stay: LimitedStay): BrokenRule[] =>
  brokenBy(limits, stay).map(({ rule, day, value }) => ({
    listing_id: listingId,
    rule,
    date: dateOfDay(day),
    allowed: flags.has(rule) ? value === 1 : value,
  }));
