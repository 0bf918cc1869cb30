import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../context.ts';
import { absent, any, atLeast, atMost, create, equals, put, remove, type Write } from '../table/index.ts';
import { type HandledEvent, HandledEventEntity, type Handling } from './handled-event.entity.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** The event was handled by an earlier delivery. */
export class AlreadyHandled extends Error {
  readonly handling: Handling | undefined;

  constructor(handling?: Handling) {
    super('handled before');
    this.name = 'AlreadyHandled';
    this.handling = handling;
  }
}

/** Another delivery of the event is being handled; the queue redelivers this one. */
export class AlreadyInProgress extends Error {
  constructor({ consumer, event_id }: Handling) {
    super(`${consumer} is handling ${event_id} in another delivery`);
    this.name = 'AlreadyInProgress';
  }
}

/**
 * Returns the write of the mark, for a transaction that handles several events: {@link AlreadyHandled} names the one that was
 * handled.
 */
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

/** The duration of a claim: longer than a worker may run, shorter than a queue's visibility timeout. */
export const leaseMs = 60_000;
/** A claim that ends later than that was made before the clock was turned back. */
const longestMs = 60 * leaseMs;

/**
 * Runs an effect outside of the table, such as a mail, once (D66). The claim is taken before the effect and marked done after
 * it, so concurrent deliveries run it once. It runs twice only if the process ends, or a response is lost, between effect and
 * mark, or outlives its claim: a repeated mail is better than none. A failed effect releases the claim.
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
  await table.put(put(HandledEventEntity, done));
  return true;
};

const claimWrite = (handling: Handling, claim: string, now: number): Write =>
  put(
    HandledEventEntity,
    { ...handling, state: 'CLAIMED', claim, claimed_until: now + leaseMs, marked_at: now },
    {
      // What was handled has no end of a claim.
      when: any(absent(), atMost('claimed_until', now), atLeast('claimed_until', now + longestMs)),
      onConflict: (old) => (old?.state === 'DONE' ? new AlreadyHandled() : new AlreadyInProgress(handling)),
    },
  );

/** Returns false if a write of the transaction says that the event was handled before. */
export const unlessHandled = async (transaction: () => Promise<void>): Promise<boolean> => {
  try {
    await transaction();
    return true;
  } catch (error) {
    if (error instanceof AlreadyHandled) return false;
    throw error;
  }
};
