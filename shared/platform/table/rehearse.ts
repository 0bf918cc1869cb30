import { maxWrites, type Write } from './write.ts';

/** Takes writes that are not to be written; `check` throws the error of a condition that does not hold. */
export type Rehearse = (writes: readonly Write[], check: () => Promise<void>) => Promise<void>;

/** Thrown by a transaction whose conditions all hold, except for the one that keeps it from writing. */
class NotWritten extends Error {}

/** Returns a condition that never holds, in the partition of a write: no item has this sort key. */
const never = ({ key: { pk } }: Write): Write => ({
  entity: 'Rehearsal',
  key: { pk, sk: 'REHEARSAL' },
  onConflict: () => new NotWritten(),
  render: (TableName) => ({
    ConditionCheck: {
      TableName,
      Key: { pk, sk: 'REHEARSAL' },
      ConditionExpression: 'attribute_exists(pk)',
    },
  }),
});

/**
 * Sends a transaction that cannot be committed, so that the table itself decides whether the conditions of the writes hold.
 * Throws the error of one that does not. The last condition of a full transaction is left out.
 */
export const checkConditions = async (
  writes: readonly Write[],
  write: (all: readonly Write[]) => Promise<void>,
): Promise<void> => {
  try {
    await write([...writes.slice(0, maxWrites - 1), ...writes.slice(0, 1).map(never)]);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
  }
};
