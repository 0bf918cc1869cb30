import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStage, stageFolder } from './stage.ts';
import { checkDisposable, lockDifferences, lockOf } from './stage-lock.ts';

/**
 * Writes the lock of a stage, and removes that of a stage that became disposable. Returns what was done. Throws if something
 * that the lock has would be lost without being named in `giveUp`.
 */
export const writeLock = (
  name: string,
  giveUp: readonly string[] = [],
  folder: string = stageFolder,
): string => {
  const { file, lock } = readStage(name, folder);
  checkDisposable(name, file, lock);
  const lost = lockDifferences(file, lock).filter(({ loss }) => loss !== undefined);
  const unasked = lost.filter(({ field }) => !giveUp.includes(field));
  if (unasked.length > 0)
    throw new Error(
      unasked
        .map(
          ({ field, loss = '' }) =>
            `stages/${name}.json no longer has the ${field} of its lock. ${loss} If that is meant, add \`--give-up ${field}\`.`,
        )
        .join('\n'),
    );
  const needless = giveUp.filter((field) => !lost.some((one) => one.field === field));
  if (needless.length > 0)
    throw new Error(`Nothing of ${needless.join(', ')} is lost: leave \`--give-up\` out.`);
  const path = join(folder, `${name}.lock.json`);
  const now = lockOf(file);
  if (now === undefined) {
    rmSync(path, { force: true });
    return `${name} is disposable and has no lock.`;
  }
  writeFileSync(path, `${JSON.stringify(now, undefined, 2)}\n`);
  return `Wrote stages/${name}.lock.json: commit it with stages/${name}.json.`;
};
