import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../context.ts';
import { absent, all, any, atMost, create, equals, put, remove, type Write } from '../table/index.ts';
import { type HandledEvent, HandledEventEntity, type Handling } from './handled-event.entity.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** The work was done by an earlier delivery: nothing is left to do. */
export class AlreadyHandled extends Error {
  readonly handling: Handling | undefined;

  constructor(handling?: Handling) {
    super('handled before');
    this.name = 'AlreadyHandled';
    this.handling = handling;
  }
}

/** Another delivery of the same event is at work: the queue brings this one again, when that one is done or dead. */
export class AlreadyInProgress extends Error {
  constructor({ consumer, event_id }: Handling) {
    super(`${consumer} is handling ${event_id} in another delivery`);
    this.name = 'BeingHandled';
  }
}

/**
 * Commits a consumer's effect and the mark that the event is handled in one transaction: it happens exactly once, however
 * often the event is delivered. False: it was done before. A write may throw {@link AlreadyHandled} to say the same.
 */
export const commitOnce = async (
  { table, clock }: Deps,
  handling: Handling,
  writes: readonly Write[],
): Promise<boolean> => unlessHandled(() => table.transact([markHandled(handling, clock.now()), ...writes]));

/** The mark alone, for a transaction that handles several: {@link AlreadyHandled} says which one was. */
export const markHandled = (handling: Handling, now: number): Write => {
  const mark: HandledEvent = {
    ...handling,
    state: 'DONE',
    claim: null,
    claimed_until: null,
    marked_at: now,
  };
  return create(HandledEventEntity, mark, () => new AlreadyHandled(handling));
};

/** Longer than any worker may run, shorter than a queue hides a message: a dead attempt never blocks the next for long. */
export const leaseMs = 60_000;

/**
 * Runs an effect outside of the table (a mail) once: the claim is taken before and marked done after, so two deliveries at
 * once run it once (D66). It runs twice only when the process dies, or the answer is lost, between effect and mark; a mail
 * twice is better than none. A failed effect gives the claim back.
 */
export const runOnce = async (
  { table, clock }: Deps,
  handling: Handling,
  effect: () => Promise<void>,
): Promise<boolean> => {
  const claim = randomUUID();
  if (!(await unlessHandled(() => table.put(claimWrite(handling, claim, clock.now()))))) return false;
  try {
    await effect();
  } catch (error) {
    const ours = { when: equals('claim', claim) };
    await table.transact([remove(HandledEventEntity, handling, ours)]).catch(() => undefined);
    throw error;
  }
  const done = { ...handling, state: 'DONE', claim, claimed_until: null, marked_at: clock.now() } as const;
  await table.put(put(HandledEventEntity, done, { when: equals('claim', claim) }));
  return true;
};

const claimWrite = (handling: Handling, claim: string, now: number): Write =>
  put(
    HandledEventEntity,
    { ...handling, state: 'CLAIMED', claim, claimed_until: now + leaseMs, marked_at: now },
    {
      when: any(absent(), all(equals('state', 'CLAIMED'), atMost('claimed_until', now))),
      onConflict: (old) => (old?.state === 'DONE' ? new AlreadyHandled() : new AlreadyInProgress(handling)),
    },
  );

const unlessHandled = async (transaction: () => Promise<void>): Promise<boolean> => {
  try {
    await transaction();
    return true;
  } catch (error) {
    if (error instanceof AlreadyHandled) return false;
    throw error;
  }
};
