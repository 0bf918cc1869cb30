import { defineEntity } from '../../platform/table/index.ts';
import type { Violation } from './audit-rule.rules.ts';

/** What is audited together; a violation is audited again by it. */
export type AuditScope =
  | { kind: 'order'; order_id: number }
  /** A listing's calendar, in the listing's local time. */
  | { kind: 'time'; listing_id: number; start_at: string; end_at: string }
  /** Months (`YYYY-MM`) of a calendar; `order_id`: with the stays of this order, whether they exist or not. */
  | {
      kind: 'calendar';
      calendar_id: number;
      first: string;
      last: string;
      timezone: string;
      order_id: number | null;
    }
  | { kind: 'reviews'; listing_id: number }
  | { kind: 'feed'; team_id: number };

/** A violation with the scope in which it was found. */
export interface Finding extends Violation {
  scope: AuditScope;
}

/** A finding that is audited again in each round until it is gone. */
export interface OpenFinding extends Finding {
  /** The start of the round that found it first, in epoch milliseconds. */
  from: number;
  /** The number of rounds that have found it. */
  rounds: number;
}

/**
 * The round of the audit: changes from `from` to `to` are audited, team by team. One run at a time works on it, under a
 * lease, and another continues where it stopped.
 */
export interface AuditRound {
  name: string;
  /** Epoch milliseconds. */
  from: number;
  to: number;
  /** The teams up to this id are done. */
  after_team: number;
  /** Of the next teams, the orders up to this id are done. */
  after_order: number;
  /** Epoch milliseconds; null: the round goes on. */
  finished_at: number | null;
  /** The number of orders audited in this round. */
  orders: number;
  open: OpenFinding[];
  /** Findings beyond those that are kept. */
  more: number;
  /** The random id of the last run. */
  claim: string;
  /** Epoch milliseconds until which no other run may start. */
  claimed_until: number;
}

export const AuditRoundEntity = defineEntity<AuditRound, Pick<AuditRound, 'name'>>({
  name: 'AuditRound',
  meaning: 'How far the audit of bookings has come, and what it has found.',
  patterns: ['where does the next run of the audit continue?'],
  key: { pk: 'AUDIT#{name}', sk: 'ROUND' },
  example: { name: 'bookings' },
});
