import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../platform/errors.ts';

/** A place in a team's feed: in which page, and how many of its entries come before. */
export const Position = z.tuple([z.int().min(1), z.int().min(0)]);
export type Position = z.infer<typeof Position>;

/** A place in the feed of each team that was asked about. */
export type Positions = Record<string, Position>;

/** A place in the feed as a partner keeps it. The older ones name neither a table nor a time. */
const FeedCursor = z.object({
  at: z.record(z.string().regex(/^[1-9]\d{0,15}$/), Position),
  /** The table that the places are in. */
  epoch: z.string().optional(),
  /** Epoch seconds up to which all that happened has been read. */
  read_to: z.int().min(0).optional(),
});
export type FeedCursor = z.infer<typeof FeedCursor>;

const Sealed = FeedCursor.extend({ of: z.string() });

const digest = ({ at, epoch, read_to }: FeedCursor): string =>
  createHash('sha256')
    .update(JSON.stringify(epoch === undefined ? at : [at, epoch, read_to]))
    .digest('base64url')
    .slice(0, 11);

/** A cursor as a text that means nothing outside. */
export const cursorText = (cursor: FeedCursor): string =>
  Buffer.from(JSON.stringify({ of: digest(cursor), ...cursor })).toString('base64url');

/** The cursor of a text; VALIDATION_ERROR at `after` when it is none of ours, or has been changed. */
export const cursorOf = (text: string): FeedCursor => {
  const sealed = Sealed.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (sealed.success) {
    const { of, ...cursor } = sealed.data;
    if (of === digest(cursor)) return cursor;
  }
  throw invalid({ path: 'after', message: 'after is not the next_cursor of an answer' });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
