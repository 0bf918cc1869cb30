import * as z from 'zod';
import { datesOf } from '../../platform/time/date-ranges.ts';
import { exampleIds } from '../../platform/http/example-records.ts';
import {
  crossCheck,
  CurrencyCode,
  DateText,
  type FieldIssue,
  Id,
  Instant,
  Money,
  Weekdays,
} from '../../platform/schema/schema.ts';
import { dayMs } from '../../platform/time/time.ts';
import { AvailabilityState } from '../calendar/availability.schema.ts';

/** The most listings and nights of one request. */
const mostListings = 100;
const mostDates = 400;
const mostRanges = 50;
/** The longest range: no request names more days, whatever weekdays it leaves out. */
const longestRange = 800;

const range = {
  date_from: DateText,
  date_to: DateText.meta({ description: 'Inclusive.' }),
  weekdays: Weekdays.nullable(),
};

const lengthOf = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

const rangeIssues = ({
  date_from: from,
  date_to: to,
}: {
  date_from: string;
  date_to: string;
}): FieldIssue[] => {
  if (to < from) return [{ path: 'date_to', message: 'must not be before date_from' }];
  return lengthOf(from, to) > longestRange
    ? [{ path: 'date_to', message: `must be within ${longestRange} days of date_from` }]
    : [];
};

const BulkRange = z
  .strictObject({ ...range, weekdays: range.weekdays.default(null) })
  .check(crossCheck(rangeIssues))
  .meta({ id: 'BulkRange' });

type Ranges = { date_ranges: z.output<typeof BulkRange>[] };

const dateIssues = ({ date_ranges: ranges }: Ranges): FieldIssue[] => {
  const { length } = datesOf(ranges);
  if (length === 0) return [{ path: 'date_ranges', message: 'name no date' }];
  return length > mostDates
    ? [{ path: 'date_ranges', message: `name ${length} dates; at most ${mostDates}` }]
    : [];
};

const listingIssues = ({ listing_ids: ids }: { listing_ids: number[] }): FieldIssue[] =>
  new Set(ids).size < ids.length ? [{ path: 'listing_ids', message: 'names a listing twice' }] : [];

const request = {
  listing_ids: z.array(Id).min(1).max(mostListings),
  date_ranges: z
    .array(BulkRange)
    .min(1)
    .max(mostRanges)
    .meta({
      description: `Together at most ${mostDates} dates; those that have passed where a listing is are left out.`,
    }),
  dry_run: z
    .boolean()
    .default(false)
    .meta({ description: 'Answers what would be done; nothing is written.' }),
};

const SetPrice = z
  .strictObject({
    price: Money.meta({ description: 'Of each night, above 0, in the currency of the listing.' }),
  })
  .check(crossCheck(({ price }) => (price > 0 ? [] : [{ path: 'price', message: 'must be above 0' }])))
  .meta({ id: 'BulkPrice' });
const AddPercent = z
  .strictObject({
    percent: z
      .number()
      .min(-99)
      .max(900)
      .meta({
        description: 'Of the price of each night, rounded half-up to the minor unit.',
        examples: [10],
      }),
  })
  .meta({ id: 'BulkPercent' });

const isUnlike = (body: { listing_ids: number[] } & Ranges): FieldIssue[] => [
  ...listingIssues(body),
  ...dateIssues(body),
];

export const BulkPrices = z
  .strictObject({ ...request, change: z.union([SetPrice, AddPercent]) })
  .check(crossCheck(isUnlike))
  .meta({ id: 'BulkPrices' });
export type BulkPrices = z.infer<typeof BulkPrices>;

export const BulkBlocks = z
  .strictObject({
    ...request,
    change: z
      .strictObject({
        state: z.enum(['BLOCKED', 'AVAILABLE']).meta({ description: 'AVAILABLE lifts blocks.' }),
        note: z.string().max(1000).nullish().meta({ description: 'With BLOCKED.' }),
      })
      .meta({ id: 'BulkState' }),
  })
  .check(crossCheck(isUnlike))
  .meta({ id: 'BulkBlocks' });
export type BulkBlocks = z.infer<typeof BulkBlocks>;

export const BulkUndo = z
  .strictObject({ undo_id: Id.meta({ description: 'Of the answer to the bulk change.' }) })
  .meta({ id: 'BulkUndo' });
export type BulkUndo = z.infer<typeof BulkUndo>;

const BulkRefusal = z
  .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) })
  .meta({ id: 'BulkRefusal', description: 'As the error of a request for this listing alone.' });
export type BulkRefusal = z.infer<typeof BulkRefusal>;

const PriceRange = z.object({ ...range, before: Money, after: Money }).meta({ id: 'BulkPriceRange' });
const StateRange = z
  .object({ ...range, before: AvailabilityState, after: AvailabilityState })
  .meta({ id: 'BulkStateRange' });
const KeptRange = z.object(range).meta({ id: 'BulkDates' });

const refused = BulkRefusal.nullable().meta({
  description: 'Why nothing of this listing has changed; null where the change was made.',
});

const answerOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({
      dry_run: z.boolean(),
      undo_id: Id.nullable().meta({ description: 'For `bulk-undo`; null if no listing was changed.' }),
      undo_until: Instant.nullable(),
      items: z.array(item).meta({ description: 'One for each listing, in the order of the request.' }),
    })
    .meta({ id });

const PricesItem = z
  .object({ listing_id: Id, currency: CurrencyCode.nullable(), ranges: z.array(PriceRange), error: refused })
  .meta({ id: 'BulkPricesItem' });
export const BulkPricesAnswer = answerOf(PricesItem, 'BulkPricesAnswer');
export type BulkPricesAnswer = z.infer<typeof BulkPricesAnswer>;

const BlocksItem = z
  .object({ listing_id: Id, ranges: z.array(StateRange), error: refused })
  .meta({ id: 'BulkBlocksItem' });
export const BulkBlocksAnswer = answerOf(BlocksItem, 'BulkBlocksAnswer');
export type BulkBlocksAnswer = z.infer<typeof BulkBlocksAnswer>;

const UndoneItem = z
  .object({
    listing_id: Id,
    prices: z.array(PriceRange).meta({ description: 'Nights with their prices before and after the undo.' }),
    blocks: z.array(StateRange),
    kept: z
      .array(KeptRange)
      .meta({ description: 'Dates that were left as they are: changed since, sold, or passed.' }),
    error: refused,
  })
  .meta({ id: 'BulkUndoItem' });
export const BulkUndoAnswer = z
  .object({
    undo_id: Id,
    is_done: z.boolean().meta({
      description:
        'False if a listing could not be reached (SERVICE_UNAVAILABLE): send the request again, with another Idempotency-Key.',
    }),
    items: z.array(UndoneItem),
  })
  .meta({ id: 'BulkUndoAnswer' });
export type BulkUndoAnswer = z.infer<typeof BulkUndoAnswer>;

const nights = { date_from: '2027-02-05', date_to: '2027-02-10', weekdays: null };
const listing = exampleIds.lakeHouse;

export const bulkPricesExample = {
  body: { listing_ids: [listing], date_ranges: [nights], change: { percent: 10 }, dry_run: true },
  reply: {
    dry_run: true,
    ...{ undo_id: null, undo_until: null },
    items: [
      {
        ...{ listing_id: listing, currency: 'VND', error: null },
        ranges: [{ ...nights, before: 1_000_000, after: 1_100_000 }],
      },
    ],
  },
};

export const bulkBlocksExample = {
  body: {
    listing_ids: [listing],
    date_ranges: [{ date_from: '2027-06-01', date_to: '2027-06-30', weekdays: [1, 2] }],
    change: { state: 'BLOCKED' as const, note: 'Painting' },
    dry_run: true,
  },
  reply: {
    dry_run: true,
    ...{ undo_id: null, undo_until: null },
    items: [
      {
        ...{ listing_id: listing, error: null },
        ranges: [
          {
            ...{ date_from: '2027-06-01', date_to: '2027-06-29', weekdays: [1, 2] },
            ...{ before: 'AVAILABLE' as const, after: 'BLOCKED' as const },
          },
        ],
      },
    ],
  },
};

export const bulkUndoExample = {
  body: { undo_id: exampleIds.bulk },
  reply: {
    undo_id: exampleIds.bulk,
    is_done: true,
    items: [
      {
        ...{ listing_id: exampleIds.draft, blocks: [], error: null },
        prices: [{ ...nights, before: 1_100_000, after: 1_000_000 }],
        kept: [],
      },
    ],
  },
};
