import * as z from 'zod';
import { binary, defineRecord } from '../../platform/table/index.ts';

const ClaimBeforeRecord = defineRecord(() => ({
  listing_id: z.int(),
  order_id: z.int(),
  holder: z.string(),
  from: z.int(),
  to: z.int(),
  /** Epoch milliseconds; null: a booking. */
  until: z.int().nullable(),
}));

/** Version 1 of a month: one item for a parent and all of its children. */
export const MonthBeforeRecord = defineRecord(() => ({
  version: z.int(),
  /** By listing id. */
  taken: z.record(z.string(), binary()),
  /** By availability id. */
  claims: z.record(z.string(), ClaimBeforeRecord()),
  left: z.array(z.int()).exactOptional(),
}));

/** Reads a month of version 1. Its hours are in `before`, until a write gives each listing its own month. */
export const monthOfVersion1 = ({
  calendar_id,
  month,
  ...before
}: Record<string, unknown>): Record<string, unknown> => ({
  calendar_id,
  listing_id: calendar_id,
  month,
  days: {},
  locks: {},
  changes: {},
  child_changes: {},
  before,
});
