import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssetCode, type Code } from 'aws-cdk-lib/aws-lambda';
import { once } from '../../../shared/platform/once.ts';
import { bundleFunctions, functionSources } from '../../bundling.ts';

/** Bundles every function once for all stacks and stages. */
const bundles = once((): string => {
  const directory = mkdtempSync(join(tmpdir(), 'nightlatch-bundles-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  bundleFunctions(functionSources(), directory);
  return directory;
});

/** Returns the code of the function in a folder below `functions/`. */
export const functionCode = (folder: string): Code => {
  const directory = join(bundles(), folder);
  if (!existsSync(join(directory, 'index.js')))
    throw new Error(`functions/${folder}/index.ts is declared but not there.`);
  return new AssetCode(directory);
};
