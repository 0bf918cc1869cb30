import * as z from 'zod';
import { once } from '../../platform/once.ts';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** What is audited together; a violation is audited again by it. */
const AuditScopeRecord = once(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('order'), order_id: z.int() }),
    /** A listing's calendar, in the listing's local time. */
    z.object({ kind: z.literal('time'), listing_id: z.int(), start_at: z.string(), end_at: z.string() }),
    /** Months (`YYYY-MM`) of a calendar; `order_id`: with the stays of this order, whether they exist or not. */
    z.object({
      kind: z.literal('calendar'),
      calendar_id: z.int(),
      first: z.string(),
      last: z.string(),
      timezone: z.string(),
      order_id: z.int().nullable(),
    }),
    z.object({ kind: z.literal('reviews'), listing_id: z.int() }),
    z.object({ kind: z.literal('feed'), team_id: z.int() }),
  ]),
);
export type AuditScope = RecordOf<typeof AuditScopeRecord>;

/** A finding that is audited again in each round until it is gone. */
const OpenFindingRecord = defineRecord(() => ({
  rule: z.string(),
  where: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  scope: AuditScopeRecord(),
  /** The start of the round that found it first, in epoch milliseconds. */
  from: z.int(),
  /** The number of rounds that have found it. */
  rounds: z.int(),
}));
export type OpenFinding = RecordOf<typeof OpenFindingRecord>;

/** A violation with the scope in which it was found. */
export type Finding = Pick<OpenFinding, 'rule' | 'where' | 'scope'>;

/**
 * The round of the audit: changes from `from` to `to` are audited, team by team. One run at a time works on it, under a
 * lease, and another continues where it stopped.
 */
const AuditRoundRecord = defineRecord(() => ({
  name: z.string(),
  /** Epoch milliseconds. */
  from: z.int(),
  to: z.int(),
  /** The teams up to this id are done. */
  after_team: z.int(),
  /** Of the next teams, the orders up to this id are done. */
  after_order: z.int(),
  /** Epoch milliseconds; null: the round goes on. */
  finished_at: z.int().nullable(),
  /** The number of orders audited in this round. */
  orders: z.int(),
  open: z.array(OpenFindingRecord()),
  /** Findings beyond those that are kept. */
  more: z.int(),
  /** The random id of the last run. */
  claim: z.string(),
  /** Epoch milliseconds until which no other run may start. */
  claimed_until: z.int(),
}));
export type AuditRound = RecordOf<typeof AuditRoundRecord>;

export const AuditRoundEntity = defineEntity<AuditRound, Pick<AuditRound, 'name'>>({
  name: 'AuditRound',
  meaning: 'How far the audit of bookings has come, and what it has found.',
  patterns: ['where does the next run of the audit continue?'],
  record: AuditRoundRecord,
  key: { pk: 'AUDIT#{name}', sk: 'ROUND' },
  example: { name: 'bookings' },
});
