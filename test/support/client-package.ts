import type * as Client from '@nightlatch/client';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { buildClient } from '../../infra/client/build.ts';
import { projectRoot } from '../../infra/bundling.ts';
import { once } from '../../shared/platform/once.ts';

/** Builds the client and returns a project folder in whose `node_modules` it is installed. */
export const projectWithClient = once(async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-client-'));
  mkdirSync(join(folder, 'node_modules/@nightlatch'), { recursive: true });
  await buildClient(packageIn(folder));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
});

/** The folder of the package in a project. */
export const packageIn = (project: string): string => join(project, 'node_modules/@nightlatch/client');

/** Returns the module that is published. */
export const publishedClient = async (): Promise<typeof Client> =>
  (await import(join(packageIn(await projectWithClient()), 'index.js'))) as typeof Client;

/** Returns what the strictest TypeScript finds in files of a project. */
export const typeErrors = (
  project: string,
  files: readonly string[],
  options: ts.CompilerOptions,
): string[] => {
  const program = ts.createProgram(
    files.map((name) => join(project, name)),
    {
      target: ts.ScriptTarget.ES2022,
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => !file || file.fileName.startsWith(project))
    .map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${file?.fileName} ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
};
