import * as z from 'zod';

/** What every event's data has: the id of the record that it happened to. */
export type EventData = z.ZodObject<{ id: z.ZodType<number> }>;

/** An event type as its noun declares it; `shared/events.ts` joins the rows of all nouns. */
export interface EventRow<Data extends EventData = EventData> {
  /** What has happened, in one sentence. */
  meaning: string;
  /** What is written with the event. */
  data: Data;
  /** The part of `data` that webhooks and the feed show to partners; null: the event is for the service alone. */
  partners: EventData | null;
  example: z.output<Data>;
}

/** Checks that an example is of its own row's data. */
export const defineEvent = <Data extends EventData, const Partners extends EventData | null>(
  row: EventRow<Data> & { partners: Partners },
): EventRow<Data> & { partners: Partners } => row;

/** The id of the record is always there; the rest may be missing: an older version wrote the event, or it was too large to travel. */
export const withOptionalData = ({ shape }: EventData): EventData =>
  z.object({ ...z.object(shape).partial().shape, id: shape.id });
