import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Joins databases of the emulator, each with other items of the same table, into one file. */
export class DatabaseParts {
  readonly #file: string;
  readonly #table: string;
  #database: DatabaseSync | undefined;

  constructor(file: string, table: string) {
    this.#file = file;
    this.#table = table;
  }

  /** Adds the items of a part. The file of the first part becomes the whole. */
  add(part: string): void {
    if (!this.#database) {
      renameSync(part, this.#file);
      this.#database = new DatabaseSync(this.#file);
      // A file that is lost with the bench needs no journal.
      this.#database.exec(
        'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; PRAGMA locking_mode = EXCLUSIVE',
      );
      return;
    }
    this.#database.prepare('ATTACH ? AS part').run(part);
    this.#database.exec('BEGIN');
    for (const name of this.#tables())
      this.#database.exec(`INSERT INTO main.${name} SELECT * FROM part.${name}`);
    this.#database.exec('COMMIT; DETACH part');
  }

  /** Returns the names of the tables that the items and their indexes are in. */
  #tables(): string[] {
    const names = this.#database?.prepare(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND (name = ?1 OR name LIKE ?1 || '::%')",
    );
    return (names?.all(this.#table) ?? []).map(({ name }) => `"${String(name)}"`);
  }

  [Symbol.dispose](): void {
    this.#database?.close();
  }
}
