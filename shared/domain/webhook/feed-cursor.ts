import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../platform/errors.ts';

/** A place in a team's feed: in which page, and how many of its entries come before. */
export const Position = z.tuple([z.int().min(1), z.int().min(0)]);
export type Position = z.infer<typeof Position>;

/** A place in the feed of each team that was asked about. */
export type Positions = Record<string, Position>;

const Sealed = z.object({
  of: z.string(),
  at: z.record(z.string().regex(/^[1-9]\d{0,15}$/), Position),
});

const digest = (positions: Positions): string =>
  createHash('sha256').update(JSON.stringify(positions)).digest('base64url').slice(0, 11);

/** Positions as a partner keeps them: a text that means nothing outside. */
export const cursorText = (positions: Positions): string =>
  Buffer.from(JSON.stringify({ of: digest(positions), at: positions })).toString('base64url');

/** The positions of a text; VALIDATION_ERROR at `after` when it is none of ours, or has been changed. */
export const positionsOf = (text: string): Positions => {
  const sealed = Sealed.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (sealed.success && sealed.data.of === digest(sealed.data.at)) return sealed.data.at;
  throw invalid({ path: 'after', message: 'after is not the next_cursor of an answer' });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
