import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { invalid } from '../../shared/platform/errors.ts';
import { projectRoot } from '../bundling.ts';
import { tableNameOf } from '../cloud/table-generation.ts';

/** The part of a stage file that every command needs; the whole file is checked where it is deployed. */
const WithTable = z.looseObject({
  table: z.looseObject({ generation: z.int().min(1).default(1) }).prefault({}),
  data_key: z.looseObject({ number: z.int().min(1).default(1) }).prefault({}),
});

/** Returns the table and the number of data keys that a stage has by its file; a stage without a file here has its first ones. */
export const tableOfStage = (
  stage: string,
  folder = join(projectRoot, 'stages'),
): { tableName: string; generation: number; dataKeys: number } => {
  const path = join(folder, `${stage}.json`);
  const read = WithTable.safeParse(existsSync(path) ? jsonOf(path) : {});
  if (!read.success) throw invalid({ path: 'stage', message: `stages/${stage}.json is not a stage.` });
  const { generation } = read.data.table;
  return { tableName: tableNameOf(stage, generation), generation, dataKeys: read.data.data_key.number };
};

const jsonOf = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};
