import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { projectRoot } from '../bundling.ts';
import { type Commands, defineCommand } from './command.ts';

const folder = join(projectRoot, 'docs/runbooks');

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => basename(file, '.md'))
  .sort();

/** One command for each alarm: prints what users notice and what to do. */
export const runbookCommands: Commands = Object.fromEntries(
  names.map((name) => [
    name,
    defineCommand({
      summary: 'Prints what to do when this alarm rings',
      changes: false,
      isOffline: true,
      input: z.strictObject({}),
      run: () => Promise.resolve(readFileSync(join(folder, `${name}.md`), 'utf8').trimEnd()),
    }),
  ]),
);
