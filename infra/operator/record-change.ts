import { instantText } from '../../shared/platform/time/clock.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { newId } from '../../shared/platform/ids.ts';
import {
  type OperatorChange,
  OperatorChangeEntity,
} from '../../shared/platform/operator/operator-change.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { type Command, type CommandPlace, ownFlags } from './command.ts';

interface Ran {
  /** `<noun> <verb>`. */
  name: string;
  command: Command;
  /** The flags as they were given. */
  values: Record<string, unknown>;
}

/**
 * Runs a command that changes something, with a record of it: written before the command starts and completed after it, so one
 * that dies leaves a STARTED record. Where the table cannot be written, a warning is printed and the command runs all the same,
 * because it may be what repairs the table.
 */
export const runRecorded = async (
  place: CommandPlace,
  { name, command, values }: Ran,
  run: () => Promise<unknown>,
): Promise<unknown> => {
  const { clock } = place.deps;
  const at = instantText(clock.now());
  const started: OperatorChange = {
    ...{ month: at.slice(0, 7), change_id: newId(clock), at, by: await place.operator() },
    ...{ command: name, flags: recordedFlags(command, values), state: 'STARTED' },
  };
  await keep(place, started);
  try {
    const result = await run();
    await keep(place, { ...started, state: 'DONE', ...idsIn(result) });
    return result;
  } catch (thrown) {
    const error = thrown instanceof ServiceError ? thrown.code : 'INTERNAL_ERROR';
    await keep(place, { ...started, state: 'FAILED', error });
    throw thrown;
  }
};

const keep = async ({ deps, streams }: CommandPlace, record: OperatorChange): Promise<void> => {
  try {
    await deps.table.put(put(OperatorChangeEntity, record));
  } catch {
    streams.error.write(`This change could not be recorded (${record.command}, ${record.state}).\n`);
  }
};

/** A flag is a text, several of them, or set. */
const flagText = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : 'true';

const recordedFlags = (command: Command, values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ownFlags(command)).flatMap(([name, { field, isPersonal }]) =>
      values[name] === undefined || isPersonal ? [] : [[field, flagText(values[name])]],
    ),
  );

/** Returns the ids that a result names: numbers under `id` and `…_id`. */
const idsIn = (result: unknown): Pick<OperatorChange, 'ids'> => {
  if (typeof result !== 'object' || result === null) return {};
  const ids = Object.entries(result).filter(
    ([name, value]) => /^(\w+_)?id$/.test(name) && Number.isSafeInteger(value),
  );
  return ids.length === 0 ? {} : { ids: Object.fromEntries(ids) };
};
