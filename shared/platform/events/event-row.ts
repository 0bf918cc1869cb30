import * as z from 'zod';

/** The minimal data of an event: the id of the record. */
export type EventData = z.ZodObject<{ id: z.ZodType<number> }>;

/** The declaration of an event type by its noun; `shared/events.ts` joins the rows of all nouns. */
interface EventRow<Data extends EventData = EventData> {
  /** One sentence for partners: what has happened. */
  meaning: string;
  /** The schema of the data that is written. */
  data: Data;
  /** The part of `data` that webhooks and the feed of events show to partners; null if the event is internal. */
  partners: EventData | null;
  example: z.output<Data>;
}

/** Returns the declaration, with its example checked against the type of its data. */
export const defineEvent = <Data extends EventData, const Partners extends EventData | null>(
  row: EventRow<Data> & { partners: Partners },
): EventRow<Data> & { partners: Partners } => row;

/**
 * Returns the schema with everything optional except the record's id: an older version may have written the event, or it was
 * too large to publish with its data.
 */
export const withOptionalData = ({ shape }: EventData): EventData =>
  z.object({ ...z.object(shape).partial().shape, id: shape.id });
