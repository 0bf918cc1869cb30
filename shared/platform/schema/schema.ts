import * as z from 'zod';
import { isCurrency, isExactNumber } from '../money.ts';
import { isDate, isInstant, isLocalDateTime, isTime, isTimeZone } from '../time/time.ts';

/** Fields shared by requests and responses. Instants are UTC; dates and times are local to the listing (D3). */

export const Id = z
  .int()
  .min(1)
  .meta({ id: 'Id', description: 'Identifier, 1 to 2^53 − 1.', examples: [4711] });
export type Id = z.infer<typeof Id>;

export const Money = z
  .number()
  .min(0)
  .max(999_999_999_999_999, { abort: true })
  .refine(isExactNumber, 'must have at most 15 digits')
  .meta({
    id: 'Money',
    description: 'Amount in the unit of `currency`, exact in its minor unit.',
    examples: [1_500_000],
  });
export type Money = z.infer<typeof Money>;

/** An amount that may be negative: the discounts among a quote's lines. */
export const SignedMoney = z
  .number()
  .min(-999_999_999_999_999)
  .max(999_999_999_999_999)
  .meta({
    id: 'SignedMoney',
    description: 'Amount in the unit of `currency`; negative for a discount.',
    examples: [-150_000],
  });
export type SignedMoney = z.infer<typeof SignedMoney>;

/** What a person writes to name a line of money: no line breaks or other control characters. */
export const LineLabel = z
  .string()
  .trim()
  .max(60)
  .refine(
    (text) => /[\p{L}\p{N}]/u.test(text) && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text),
    'must be text without control characters',
  );

export const Percent = z
  .number()
  .min(0)
  .max(100)
  .meta({ id: 'Percent', description: 'Percent, 0 to 100.', examples: [10] });
export type Percent = z.infer<typeof Percent>;

export const DateText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date written as YYYY-MM-DD', abort: true })
  .refine(isDate, 'must be a real calendar date')
  .meta({
    id: 'LocalDate',
    description: 'Calendar date, YYYY-MM-DD.',
    format: 'date',
    examples: ['2027-02-04'],
  });
export type DateText = z.infer<typeof DateText>;

/** A month of a calendar. */
export const MonthText = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month written as YYYY-MM')
  .meta({ id: 'Month', description: 'Month, YYYY-MM.', examples: ['2027-02'] });

/** Days of the week of a range of dates. */
export const Weekdays = z
  .array(z.int().min(0).max(6))
  .min(1)
  .max(7)
  .meta({ description: '0 = Sunday, 6 = Saturday; null: all.' });

const withSeconds = (text: string, length: number): string => (text.length === length ? `${text}:00` : text);

export const TimeText = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: 'must be a time written as HH:MM:SS', abort: true })
  .overwrite((text) => withSeconds(text, 5))
  .refine(isTime, 'must be a time written as HH:MM:SS')
  .meta({
    id: 'TimeOfDay',
    description: 'Time of day, HH:MM:SS; HH:MM is accepted too.',
    examples: ['14:00:00'],
  });
export type TimeText = z.infer<typeof TimeText>;

export const LocalDateTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, {
    error: 'must be a local datetime written as YYYY-MM-DDTHH:MM:SS, without zone',
    abort: true,
  })
  .overwrite((text) => withSeconds(text, 16))
  .refine(isLocalDateTime, 'must be a real calendar date and time')
  .meta({
    id: 'LocalDateTime',
    description: "The listing's local time, without zone; the seconds may be left out.",
    examples: ['2027-02-04T14:00:00'],
  });
export type LocalDateTime = z.infer<typeof LocalDateTime>;

export const Instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/, {
    error: 'must be an instant such as 2027-02-04T07:00:00Z',
    abort: true,
  })
  .refine(isInstant, 'must be a real instant')
  .meta({
    id: 'Instant',
    description: 'Instant, ISO 8601; answers are in UTC with `Z`.',
    format: 'date-time',
    examples: ['2027-02-04T07:00:00.000Z'],
  });
export type Instant = z.infer<typeof Instant>;

export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code in upper case', abort: true })
  .refine(isCurrency, 'must be an ISO 4217 currency')
  .meta({ id: 'Currency', description: 'Currency, ISO 4217.', examples: ['VND'] });
export type CurrencyCode = z.infer<typeof CurrencyCode>;

const zoneName = { description: 'Time zone, IANA.', examples: ['Asia/Ho_Chi_Minh'] };

/** A time zone in an answer. To check it, Intl would load its formats: 12 ms of a start. */
export const ZoneName = z.string().max(64).meta(zoneName);

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone')
  .meta({ id: 'TimeZone', ...zoneName });
export type TimeZone = z.infer<typeof TimeZone>;

/** Ends of lines, other control characters, and those that turn the direction of the text behind them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** A name or another text of one line, which pages and mails show as it was sent. */
export const lineOf = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !unprintable.test(text), 'must be one line without control characters');

const hasCredentials = (text: string): boolean => {
  const { username = '', password = '' } = URL.parse(text) ?? {};
  return username !== '' || password !== '';
};

/** The address of a page or picture that others open: https, as it is written, without credentials (D112). */
export const WebAddress = z
  .url({ protocol: /^https$/, error: 'must be an address that begins with https://', abort: true })
  .max(2048)
  .refine((text) => !/[\s\p{C}]/u.test(text), 'must not contain white space or control characters')
  .refine((text) => !hasCredentials(text), 'must not contain a user name or password');

/** A number in a query string, in plain decimal notation. */
export const queryNumber = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    schema,
  );

/** An identifier in a path. */
export const PathId = queryNumber(Id);

/** A boolean in a query string: `true` or `false`. */
export const QueryBoolean = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

const Page = z
  .int()
  .min(1)
  .meta({ description: 'Page number, from 1.', default: 1, examples: [1] });
const Limit = z
  .int()
  .min(1)
  .max(100)
  .meta({ description: 'Items a page, 1 to 100.', default: 20, examples: [20] });

/** The query parameters of every paged list (D4). */
export const pagingFields = {
  page: queryNumber(Page).default(1),
  limit: queryNumber(Limit).default(20),
  cursor: z.string().min(1).max(2048).optional().meta({
    description:
      '`next_cursor` of the answer before, to the same filter and order; goes on from there whatever `page` says.',
  }),
};

export const PagingQuery = z.strictObject(pagingFields);
export type PagingQuery = z.infer<typeof PagingQuery>;

/** Reply to a deletion. */
export const Removed = z.object({ message: z.string(), id: Id }).meta({ id: 'Removed' });

/** What every paged response has beside its items (D4). */
export const PageFields = z
  .object({
    total: z
      .int()
      .min(0)
      .meta({ description: 'How many there are: exact up to 1,000; see `total_is_exact`.', examples: [1] }),
    total_is_exact: z
      .boolean()
      .optional()
      .meta({
        description: 'False where counting ended before the list did: there are at least `total`.',
        examples: [true],
      }),
    page: z.int().min(1),
    limit: z.int().min(1).max(100),
    total_pages: z.int().min(0),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PageFields' });

/** The envelope of every paged response (D4): the component `XPage` for items with the id `X`. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z
    .object({ items: z.array(item), ...PageFields.shape })
    .meta({ id: `${z.globalRegistry.get(item)?.id ?? ''}Page` });

/** One page of records, as {@link pageOf} describes it. */
export interface PageOf<T> {
  items: T[];
  total: number;
  total_is_exact: boolean;
  page: number;
  limit: number;
  total_pages: number;
  next_cursor: string | null;
}

/** One problem of a record: the field and a message. */
export interface FieldIssue {
  path: string;
  message: string;
}

/** Returns a check over several fields of a zod object: `.check(crossCheck(issuesOf))`. */
export const crossCheck =
  <T>(issuesOf: (value: T) => FieldIssue[]) =>
  (context: z.core.ParsePayload<T>): void => {
    for (const { path, message } of issuesOf(context.value))
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
  };
