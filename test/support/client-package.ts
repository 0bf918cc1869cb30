import type * as Client from '@nightlatch/client';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from '../../infra/client/build.ts';
import { once } from '../../shared/platform/once.ts';

/** Builds the client and returns a project folder in whose `node_modules` it is installed. */
export const projectWithClient = once(async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-client-'));
  mkdirSync(join(folder, 'node_modules/@nightlatch'), { recursive: true });
  await buildClient(packageIn(folder));
  return folder;
});

/** The folder of the package in a project. */
export const packageIn = (project: string): string => join(project, 'node_modules/@nightlatch/client');

/** Returns the module that is published. */
export const publishedClient = async (): Promise<typeof Client> =>
  (await import(join(packageIn(await projectWithClient()), 'index.js'))) as typeof Client;
