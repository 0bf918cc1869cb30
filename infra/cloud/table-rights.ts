import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexName } from '../../shared/platform/table/entity.ts';

/** The partitions that a function reads and writes, and those of indexes that it reads, as patterns of their keys. */
export type TableRights = Record<'reads' | 'writes' | IndexName, readonly string[]>;

/** The file of all functions' rights, which `npm run rights` writes from their source. */
export const rightsFile = join(import.meta.dirname, 'table-rights.json');

/** Returns the rights in the form of the file: a line for each list, so that a change shows what a function gains. */
export const rightsText = (all: Record<string, TableRights>): string => {
  const functions = Object.entries(all).map(([folder, rights]) => {
    const lists = Object.entries(rights)
      .filter(([, patterns]) => patterns.length > 0)
      .map(([access, patterns]) => `    "${access}": [${patterns.map((one) => `"${one}"`).join(', ')}]`);
    return lists.length === 0 ? `  "${folder}": {}` : `  "${folder}": {\n${lists.join(',\n')}\n  }`;
  });
  return `{\n${functions.join(',\n')}\n}\n`;
};

const none: TableRights = { reads: [], writes: [], by_team: [], by_audience: [] };

const known = JSON.parse(readFileSync(rightsFile, 'utf8')) as Record<string, Partial<TableRights>>;

/** Returns the table rights of a function. */
export const tableRightsOf = (folder: string): TableRights => {
  const rights = known[folder];
  if (!rights) throw new Error(`infra/cloud/table-rights.json has no ${folder}: \`npm run rights\`.`);
  return { ...none, ...rights };
};
