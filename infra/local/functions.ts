import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleFunctions, type FunctionSource, functionSources, projectRoot } from '../bundling.ts';
import type { Log } from './log.ts';
import { withProgress } from './progress.ts';

/** A Lambda handler. */
export type LambdaHandler = (event: unknown, context: unknown) => Promise<unknown>;

interface Bundled {
  fingerprint: string;
  inputs: string[];
}

interface BuiltFunctions {
  sources: readonly FunctionSource[];
  folder: string;
  /** True if the bundles of the last build are still current. */
  reused: boolean;
}

/** Longer builds are logged. */
const slowMs = 1000;

/**
 * Bundles every function as the cloud stacks do, into `<localDir>/functions/<name>/index.js`; skipped if no input has changed.
 */
export const buildFunctions = async (localDir: string, log: Log): Promise<BuiltFunctions> => {
  const folder = join(localDir, 'functions');
  const sources = functionSources();
  const built = { sources, folder };
  if (isCurrent(folder, sources)) return { ...built, reused: true };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const start = performance.now();
  const line = (seconds: number): string => `Bundling ${sources.length} functions …, ${seconds} s`;
  const metafile = await withProgress({ log, line, firstMs: slowMs }, () => bundleFunctions(sources, folder));
  const inputs = [...Object.keys(metafile.inputs), 'infra/bundling.ts', 'package.json'].sort();
  const note: Bundled = { fingerprint: fingerprintOf(inputs, sources), inputs };
  writeFileSync(noteFile(folder), JSON.stringify(note));
  const ms = performance.now() - start;
  if (ms >= slowMs) log(`Bundled ${sources.length} functions in ${(ms / 1000).toFixed(1)} s.`);
  return { ...built, reused: false };
};

/** The name of the function that a call runs, for those who watch this process. */
const calls = channel('nightlatch:function');

/** Returns a function whose bundle is loaded at its first call, as AWS starts it at its first request. */
export const lazyFunction = (folder: string, name: string): LambdaHandler => {
  let handler: LambdaHandler | undefined;
  return async (event, context) => {
    handler ??= loadFunction(folder, name, { SERVICE_NAME: name });
    return calls.runStores({ name }, handler, undefined, event, context);
  };
};

/** Loads a bundle into this process, with its environment set while the module is evaluated. */
export const loadFunction = (folder: string, name: string, env: Record<string, string>): LambdaHandler => {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const path = join(folder, name, 'index.js');
    const { handler } = createRequire(import.meta.url)(path) as { handler: LambdaHandler };
    return handler;
  } finally {
    for (const key of Object.keys(env)) {
      if (before[key] === undefined) Reflect.deleteProperty(process.env, key);
      else process.env[key] = before[key];
    }
  }
};

const noteFile = (folder: string): string => join(folder, 'bundled.json');

const isCurrent = (folder: string, sources: readonly FunctionSource[]): boolean => {
  const outputs = sources.map(({ name }) => join(folder, name, 'index.js'));
  if (![noteFile(folder), ...outputs].every((path) => existsSync(path))) return false;
  const { fingerprint, inputs } = JSON.parse(readFileSync(noteFile(folder), 'utf8')) as Bundled;
  return (
    inputs.every((path) => existsSync(join(projectRoot, path))) &&
    fingerprintOf(inputs, sources) === fingerprint
  );
};

const fingerprintOf = (inputs: readonly string[], sources: readonly FunctionSource[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(sources));
  for (const path of inputs) {
    const { mtimeMs, size } = statSync(join(projectRoot, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
};
