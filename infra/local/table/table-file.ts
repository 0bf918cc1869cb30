import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** The key of an item; both attributes are texts. */
export interface ItemKey {
  pk: string;
  sk: string;
}

/** The emulator's database file, for what its API does not offer. */
export interface TableFile {
  /** Returns the keys of the items whose `expires_at` (epoch seconds) is `now` or earlier, from an index. */
  expired(tableName: string, now: number): ItemKey[];
  /** Returns a function that returns, within microseconds, whether anything was written since its last call. */
  watch(): () => boolean;
  /** Deletes stream records that every consumer has handled: kept records slow the emulator's writes. */
  trim(tableName: string, upToSequenceNumber: string): number;
  close(): void;
}

const recordsATrim = 20_000;

/** Without this index the cost of each write grows with the number of stream records. */
const indexStream = (file: DatabaseSync): void =>
  file.exec(
    'CREATE INDEX IF NOT EXISTS local_stream_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
  );

/** The emulator stores an item as DynamoDB JSON, and a text of its key as `S:` and the text. */
const expiry = `CAST(json_extract(item_json, '$.expires_at.N') AS INTEGER)`;
/** Found without parsing: few of the items that are written expire. */
const canExpire = `instr(item_json, '"expires_at":{"N"') > 0`;
const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/.test(error.message);

/** Returns the query of one table; its index is created with it. */
const expiryQuery = (file: DatabaseSync, tableName: string): StatementSync => {
  const table = `"${tableName}"`;
  file.exec(
    `CREATE INDEX IF NOT EXISTS "local_expiry_${tableName}" ON ${table}(${expiry}) WHERE ${canExpire}`,
  );
  return file.prepare(
    `SELECT substr(pk, 3) AS pk, substr(sk, 3) AS sk FROM ${table} WHERE ${canExpire} AND ${expiry} <= ?`,
  );
};

export const openTableFile = (path: string): TableFile => {
  const file = new DatabaseSync(path, { timeout: 250 });
  indexStream(file);
  const watchers: DatabaseSync[] = [];
  // The newest record is kept: the emulator derives the next number from it.
  const deletion = file.prepare(
    `DELETE FROM _stream_records WHERE id IN (
       SELECT id FROM _stream_records
       WHERE table_name = :table AND CAST(sequence_number AS INTEGER) <= :upTo AND CAST(sequence_number AS INTEGER) <
         (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = :table)
       LIMIT ${recordsATrim})`,
  );
  const queries = new Map<string, StatementSync>();
  return {
    expired: (tableName, now) => {
      try {
        const query = queries.get(tableName) ?? expiryQuery(file, tableName);
        queries.set(tableName, query);
        return query.all(now).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
      } catch (error) {
        // The file was locked: the next sweep finds these too.
        if (isBusy(error)) return [];
        throw error;
      }
    },
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
        // The file was locked: the next trim deletes these too.
        if (isBusy(error)) return 0;
        throw error;
      }
    },
    close: () => {
      for (const each of [file, ...watchers]) each.close();
    },
  };
};

/** Opens the file in a process that did not start the emulator, e.g. a test worker. */
export const tableFileFromEnvironment = (): TableFile | undefined => {
  const path = process.env['NIGHTLATCH_TABLE_FILE'];
  return path !== undefined && existsSync(path) ? openTableFile(path) : undefined;
};
