import * as z from 'zod';
import { crossCheck, DateText, type FieldIssue, Id, Weekdays } from '../../platform/schema/schema.ts';

const nights = z.int().min(1).max(365).nullable();
const flag = z.boolean().nullable();

const dayRules = {
  min_nights: nights.meta({ description: 'The fewest nights of a stay that begins on the date.' }),
  max_nights: nights.meta({ description: 'The most nights of a stay that begins on the date.' }),
  closed_to_arrival: flag.meta({ description: 'No stay begins on the date.' }),
  closed_to_departure: flag.meta({ description: 'No stay ends on the date.' }),
  closed: flag.meta({ description: 'The night that begins on the date is not sold.' }),
};

const wholeStay = {
  min_notice_hours: z
    .int()
    .min(1)
    .max(2160)
    .nullable()
    .meta({ description: 'The fewest hours from the booking to the check-in that is asked for.' }),
  booking_window_days: z.int().min(1).max(730).nullable().meta({
    description: 'The most days from the day of the booking, in the listing’s time zone, to arrival.',
  }),
};

const dates = {
  date_from: DateText,
  date_to: DateText.meta({ description: 'Inclusive.' }),
  weekdays: Weekdays.nullable(),
};

const StayRule = z.object({ id: Id, ...dates, ...dayRules }).meta({ id: 'StayRule' });
const DayRules = z.object(dayRules).meta({ id: 'DayRules' });

/** Which stays a listing takes (D78); null does not restrict. */
export const StayRules = z
  .object({
    listing_id: Id,
    default: DayRules,
    ...wholeStay,
    date_rules: z
      .array(StayRule)
      .meta({ description: 'For each date, a later rule wins over an earlier one, field by field.' }),
  })
  .meta({ id: 'StayRules' });
export type StayRules = z.infer<typeof StayRules>;
/** The rules of a listing that is named beside them. */
export type ListedStayRules = Omit<StayRules, 'listing_id'>;

const dayFields = {
  min_nights: dayRules.min_nights.default(null),
  max_nights: dayRules.max_nights.default(null),
  closed_to_arrival: dayRules.closed_to_arrival.default(null),
  closed_to_departure: dayRules.closed_to_departure.default(null),
  closed: dayRules.closed.default(null),
};

interface Nights {
  min_nights: number | null;
  max_nights: number | null;
}

const nightIssues = ({ min_nights: least, max_nights: most }: Nights): FieldIssue[] =>
  least !== null && most !== null && most < least
    ? [{ path: 'max_nights', message: 'must not be below min_nights' }]
    : [];

interface Dates {
  date_from: string;
  date_to: string;
}

const ruleIssues = ({ date_from, date_to, ...rule }: Dates & Nights): FieldIssue[] => [
  ...(date_to < date_from ? [{ path: 'date_to', message: 'must not be before date_from' }] : []),
  ...nightIssues(rule),
];

/** The rules of a date that restrict nothing. */
export const unrestricted = {
  min_nights: null,
  max_nights: null,
  closed_to_arrival: null,
  closed_to_departure: null,
  closed: null,
};

const maxRules = 200;

const PutDayRules = z.strictObject(dayFields).check(crossCheck(nightIssues)).meta({ id: 'PutDayRules' });

const PutStayRule = z
  .strictObject({
    id: Id.optional().meta({ description: 'Of a rule that is kept; absent: the rule is new.' }),
    ...dates,
    weekdays: dates.weekdays.default(null),
    ...dayFields,
  })
  .check(crossCheck(ruleIssues))
  .meta({ id: 'PutStayRule' });

/** The whole record; an absent field does not restrict. */
export const PutStayRules = z
  .strictObject({
    default: PutDayRules.default(unrestricted),
    min_notice_hours: wholeStay.min_notice_hours.default(null),
    booking_window_days: wholeStay.booking_window_days.default(null),
    date_rules: z
      .array(PutStayRule)
      .max(maxRules)
      .default([])
      .meta({ description: 'In order: for each date, a later rule wins, field by field.' }),
  })
  .meta({ id: 'PutStayRules' });
export type PutStayRules = z.infer<typeof PutStayRules>;

/** A rule that a stay breaks, and its value. */
export const BrokenRule = z
  .object({
    listing_id: Id,
    rule: z.enum([
      'min_nights',
      'max_nights',
      'closed_to_arrival',
      'closed_to_departure',
      'closed',
      'min_notice_hours',
      'booking_window_days',
    ]),
    date: DateText.meta({ description: 'The date whose rule it is.' }),
    allowed: z.union([z.int(), z.boolean()]).meta({ description: 'The value of the rule.' }),
  })
  .meta({ id: 'BrokenRule' });
export type BrokenRule = z.infer<typeof BrokenRule>;

/** A stay that would be taken instead. */
export const NearestStay = z
  .object({ listing_id: Id, check_in_date: DateText, check_out_date: DateText })
  .meta({ id: 'NearestStay' });
export type NearestStay = z.infer<typeof NearestStay>;
