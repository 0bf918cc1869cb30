import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../platform/context.ts';
import { absent, ConflictError, equals, put, type Table } from '../../platform/table/index.ts';
import { hourMs, minuteMs } from '../../platform/time/time.ts';
import { type AuditRound, AuditRoundEntity, type OpenFinding } from './audit-round.entity.ts';

/** Changes are audited when they are this old: events are in the feed by then, and indexes have followed. */
export const settleMs = 30 * minuteMs;
/** The time between two rounds. */
const roundMs = hourMs;
/** The longest time of changes in one round, and how far the first one reaches back. */
export const longestRoundMs = 24 * hourMs;
/** Longer than a run takes. */
const leaseMs = 5 * minuteMs;

const roundKey = { name: 'bookings' } as const;

export const readRound = (table: Table): Promise<AuditRound | undefined> =>
  table.get(AuditRoundEntity, roundKey);

/** Whether a run has nothing to do: another one works, or the next round begins later. */
const isResting = (round: AuditRound, now: number): boolean => {
  if (round.claimed_until > now) return round.claimed_until <= now + leaseMs;
  return round.finished_at !== null && round.to <= now && now < round.to + settleMs + roundMs;
};

const freshProgress = { after_team: 0, after_order: 0, finished_at: null, orders: 0 };

const nextRound = (
  before: AuditRound | undefined,
  now: number,
): Omit<AuditRound, 'claim' | 'claimed_until'> => {
  const to = now - settleMs;
  // A clock that was turned back makes the last round one of the future.
  if (!before || before.to > now)
    return {
      ...roundKey,
      ...freshProgress,
      from: to - longestRoundMs,
      to,
      open: before?.open ?? [],
      more: 0,
    };
  if (before.finished_at === null) return before;
  const from = before.to;
  return { ...before, ...freshProgress, from, to: Math.min(to, from + longestRoundMs), more: 0 };
};

/** Claims the round for a run, a new one if the last is finished; undefined if there is nothing to do. */
export const claimRound = async ({
  table,
  clock,
}: Pick<Dependencies, 'table' | 'clock'>): Promise<AuditRound | undefined> => {
  const now = clock.now();
  const before = await readRound(table);
  if (before && isResting(before, now)) return undefined;
  const round = { ...nextRound(before, now), claim: randomUUID(), claimed_until: now + leaseMs };
  try {
    await table.put(
      put(AuditRoundEntity, round, { when: before ? equals('claim', before.claim) : absent() }),
    );
    return round;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
};

/** Stores how far a run has come, and extends its lease; throws ConflictError if another run has taken the round. */
export const saveRound = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  round: AuditRound,
  { goesOn }: { goesOn: boolean },
): Promise<void> => {
  const claimedUntil = goesOn ? clock.now() + leaseMs : 0;
  await table.put(
    put(AuditRoundEntity, { ...round, claimed_until: claimedUntil }, { when: equals('claim', round.claim) }),
  );
};

/** The most findings that are kept; each is audited again in the next round. */
const maxOpen = 100;

/** Returns the round with further findings. */
export const withFindings = (round: AuditRound, found: readonly OpenFinding[]): AuditRound => {
  const known = new Map([...round.open, ...found].map((finding) => [findingText(finding), finding]));
  const open = [...known.values()];
  return { ...round, open: open.slice(0, maxOpen), more: round.more + Math.max(0, open.length - maxOpen) };
};

/** Returns a text that is equal for equal findings; stored maps have no order. */
export const findingText = ({ rule, where }: Pick<OpenFinding, 'rule' | 'where'>): string =>
  `${rule} ${JSON.stringify(Object.entries(where).sort())}`;

/** The index of reviews may lag for longer than between two reads, so their findings are confirmed by the next round. */
export const isConfirmed = ({ scope, rounds }: OpenFinding): boolean =>
  scope.kind !== 'reviews' || rounds > 1;
