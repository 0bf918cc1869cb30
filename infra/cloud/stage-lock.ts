import type { StageFile } from './stage-file.ts';

/** What a stage that keeps its data cannot lose unnoticed. */
export type StageLock = Readonly<Record<string, unknown>>;

interface Kept {
  of: (file: StageFile) => unknown;
  /** What happens when it is lost. */
  loss: string;
  /** Whether another value is more of the same, so that nothing is lost. */
  grows?: (locked: unknown, now: unknown) => boolean;
}

const kept: Record<string, Kept> = {
  disposable: {
    of: ({ disposable }) => disposable,
    loss: 'The table and all bookings in it could be deleted with the stack.',
    grows: (locked) => locked === true,
  },
  region: {
    of: ({ region }) => region,
    loss: 'The stage would start again with an empty table in the other region.',
  },
  'identity.issuer': {
    of: ({ identity }) => identity.issuer,
    loss: 'No customer or host could sign in to the account that they have.',
  },
  'payment.gateway': {
    of: ({ payment }) => payment.gateway,
    loss: 'Open payments could not be completed, and paid ones not be refunded.',
  },
  'domain.name': {
    of: ({ domain }) => domain?.name,
    loss: 'Partners, payment gateways and other platforms would call an address that does not answer.',
  },
  'board.name': {
    of: ({ board }) => board?.name,
    loss: 'Hosts would open an address that does not answer, or that the API refuses.',
  },
  'data_key.number': {
    of: ({ data_key: { number } }) => (number === 1 ? undefined : number),
    loss: 'Door codes, Wi-Fi passwords and webhook secrets that a later key has encrypted could not be read.',
    grows: (locked, now) => Number(now) > Number(locked),
  },
  'data_key.arns': {
    of: ({ data_key: { arns } }) => (arns.length === 0 ? undefined : arns.join(' ')),
    loss: 'Door codes, Wi-Fi passwords and webhook secrets that these keys have encrypted could not be read.',
  },
  'table.generation': {
    // A stage whose table was never restored has none in its lock.
    of: ({ table: { generation } }) => (generation === 1 ? undefined : generation),
    loss: 'The stage would go back to a table that was replaced, and lose what was booked since.',
    grows: (locked, now) => Number(now) > Number(locked),
  },
};

const nothing = new Set<unknown>([undefined, 'none']);

/** Returns the lock of a stage; a disposable stage has none, unless its table was restored while its data was kept. */
export const lockOf = (file: StageFile): StageLock | undefined =>
  file.disposable && file.table.generation === 1
    ? undefined
    : Object.fromEntries(
        Object.entries(kept).flatMap(([field, { of }]) =>
          of(file) === undefined ? [] : [[field, of(file)]],
        ),
      );

/** A difference between a stage and its lock. */
interface LockDifference {
  field: string;
  locked: unknown;
  now: unknown;
  /** What happens; undefined if nothing is lost. */
  loss: string | undefined;
}

/** Returns in what a stage differs from its lock. */
export const lockDifferences = (file: StageFile, lock: StageLock | undefined): LockDifference[] => {
  if (lock === undefined) return [];
  return Object.entries(kept).flatMap(([field, { of, loss, grows }]) => {
    const [locked, now] = [lock[field], of(file)];
    const isKept = nothing.has(locked) || (grows?.(locked, now) ?? false);
    return locked === now ? [] : [{ field, locked, now, loss: isKept ? undefined : loss }];
  });
};

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Throws if a disposable stage would move to another table: the one that it has would be deleted by its stack. */
export const checkDisposable = (name: string, file: StageFile, lock: StageLock | undefined): void => {
  const generation = Number(lock?.['table.generation'] ?? 1);
  if (file.disposable && file.table.generation !== generation)
    throw new Error(
      `stages/${name}.json: table.generation must be ${generation}: a disposable stage is not restored, its table goes with its stack.`,
    );
};

/** Throws if a stage that keeps its data has no lock, or one that it differs from. */
export const checkLock = (name: string, file: StageFile, lock: StageLock | undefined): void => {
  const [path, lockPath] = [`stages/${name}.json`, `stages/${name}.lock.json`];
  const write = `npm run stage:lock -- ${name}`;
  checkDisposable(name, file, lock);
  if (lock === undefined) {
    if (file.disposable) return;
    throw new Error(
      `${path} keeps its data and has no ${lockPath} yet: run \`${write}\` and commit both files.`,
    );
  }
  const differences = lockDifferences(file, lock);
  const lost = differences.filter(({ loss }) => loss !== undefined);
  if (lost.length > 0)
    throw new Error(
      lost
        .map(
          ({ field, locked, now, loss = '' }) =>
            `${path}: ${field} is ${shown(now)}, but this stage has ${shown(locked)} (${lockPath}). ${loss} Write ${shown(locked)} again; or, if that is meant, run \`${write} --give-up ${field}\` and commit both files.`,
        )
        .join('\n'),
    );
  if (differences.length > 0)
    throw new Error(
      `${lockPath} does not have ${differences.map(({ field }) => field).join(', ')} of ${path} yet: run \`${write}\` and commit both files.`,
    );
};
