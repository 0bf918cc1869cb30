import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The emulator's file, opened beside it: what its API has no call for. */
export interface TableFile {
  /** Tells, in microseconds, whether anything was written since the last call. */
  watch(): () => boolean;
  /** Deletes stream records that every consumer has done; the emulator's writes slow down with those kept. */
  trim(tableName: string, upToSequenceNumber: string): number;
  close(): void;
}

const recordsATrim = 20_000;

/** Without this index each write costs as much as there are stream records. */
const indexStream = (file: DatabaseSync): void =>
  file.exec(
    'CREATE INDEX IF NOT EXISTS local_stream_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
  );

export const openTableFile = (path: string): TableFile => {
  const file = new DatabaseSync(path, { timeout: 250 });
  indexStream(file);
  const watchers: DatabaseSync[] = [];
  // The newest record stays whatever was consumed: the emulator numbers the next one from it.
  const deletion = file.prepare(
    `DELETE FROM _stream_records WHERE id IN (
       SELECT id FROM _stream_records
       WHERE table_name = :table AND CAST(sequence_number AS INTEGER) <= :upTo AND CAST(sequence_number AS INTEGER) <
         (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = :table)
       LIMIT ${recordsATrim})`,
  );
  return {
    watch: () => {
      const own = new DatabaseSync(path, { readOnly: true });
      watchers.push(own);
      const version = own.prepare('PRAGMA data_version');
      let seen: unknown;
      return () => {
        const now = version.get()?.['data_version'];
        const changed = now !== seen;
        seen = now;
        return changed;
      };
    },
    trim: (tableName, upTo) => {
      try {
        return Number(deletion.run({ table: tableName, upTo: BigInt(upTo) }).changes);
      } catch (error) {
        // The emulator was writing: the next trim takes these too.
        if (error instanceof Error && /locked|busy/.test(error.message)) return 0;
        throw error;
      }
    },
    close: () => {
      for (const each of [file, ...watchers]) each.close();
    },
  };
};

/** For a process that did not start the emulator itself, e.g. a test worker. */
export const tableFileFromEnvironment = (): TableFile | undefined => {
  const path = process.env['NIGHTLATCH_TABLE_FILE'];
  return path !== undefined && existsSync(path) ? openTableFile(path) : undefined;
};
