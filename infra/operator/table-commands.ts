import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import * as z from 'zod';
import { invalid } from '../../shared/platform/errors.ts';
import { defineCommand } from './command.ts';
import { ItemsPerSecond } from './fields.ts';
import { countOldItems, migrateTable } from './migrate-table.ts';
import { paced } from './pace.ts';
import { countPlain, sealTable } from './seal-table.ts';
import type { Reading, StoredItem } from './stored-items.ts';

export const tableCommands = {
  migrate: defineCommand({
    summary: 'Writes items of earlier versions in the current one; run again, it continues',
    changes: true,
    input: z.strictObject({ rate: ItemsPerSecond }),
    run: (place, { rate }) => migrateTable({ ...place, turn: paced(rate) }),
    dryRun: async (place) => ({ would_migrate: await countOldItems(place) }),
  }),
  seal: defineCommand({
    summary: 'Encrypts door codes, Wi-Fi passwords and webhook secrets that earlier versions have written',
    changes: true,
    input: z.strictObject({ rate: ItemsPerSecond }),
    run: async (place, { rate }) => ({
      sealed: await sealTable(place.deps, { ...place, turn: paced(rate) }),
    }),
    dryRun: async (place) => ({ would_seal: await countPlain(place) }),
  }),
  export: defineCommand({
    summary: 'Writes every item of the table as a line of DynamoDB JSON, which ImportTable reads',
    changes: false,
    input: z.strictObject({
      out: z.string().min(1).describe('<file> that does not exist yet, or - for standard output'),
    }),
    run: async (place, { out }) => {
      if (out === '-') {
        await writeAll(place, place.streams.output);
        return undefined;
      }
      const file = await newFile(out);
      const target = file.createWriteStream();
      try {
        const written = await writeAll(place, target);
        target.end();
        await once(target, 'finish');
        return { file: out, ...written };
      } catch (error) {
        target.destroy();
        await rm(out, { force: true });
        throw error;
      }
    },
  }),
};

/** The file holds personal data and secrets, so only its owner may read it. */
const newFile = async (path: string) => {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    throw invalid({
      path: 'out',
      message: `--out: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
};

const writeAll = async (
  { items: stored, progress }: Reading,
  target: Writable,
): Promise<{ items: number; bytes: number }> => {
  const written = { items: 0, bytes: 0 };
  await stored.scan({}, async ({ items }) => {
    if (items.length === 0) return;
    const text = items.map((item) => `${lineOf(item)}\n`).join('');
    written.items += items.length;
    written.bytes += Buffer.byteLength(text);
    progress(`${written.items} items, ${written.bytes} bytes`);
    if (!target.write(text)) await once(target, 'drain');
  });
  return written;
};

/** Binary attributes are base64 in DynamoDB JSON. */
const lineOf = (item: StoredItem): string =>
  JSON.stringify({ Item: item }, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
