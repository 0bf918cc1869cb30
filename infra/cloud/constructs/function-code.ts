import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssetCode, type Code } from 'aws-cdk-lib/aws-lambda';
import { bundleFunctions, functionSources } from '../../bundling.ts';

/** Every function is bundled once for all stacks and stages, when this is loaded: constructs cannot wait for it. */
export const bundles = mkdtempSync(join(tmpdir(), 'nightlatch-bundles-'));
process.once('exit', () => rmSync(bundles, { recursive: true, force: true }));
await bundleFunctions(functionSources(), bundles);

/** Returns the code of the function in a folder below `functions/`. */
export const functionCode = (folder: string): Code => {
  const directory = join(bundles, folder);
  if (!existsSync(join(directory, 'index.js')))
    throw new Error(`functions/${folder}/index.ts is declared but not there.`);
  return new AssetCode(directory);
};
