import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { apiDocument } from '../../functions/system/api-document.ts';
import { projectRoot, serviceVersion } from '../bundling.ts';
import { declarations } from './declarations.ts';
import { clientOperations, operationLines } from './operations.ts';

/** The name of the package. */
export const clientName = '@nightlatch/client';

/**
 * Writes the package `@nightlatch/client` into a folder. Methods, types and errors are made from the route table, so there
 * is no copy of them in the sources.
 */
export const buildClient = async (outdir: string): Promise<void> => {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const operations = clientOperations();
  const write = (name: string, text: string): void => writeFileSync(join(outdir, name), text);
  const types = readFileSync(join(projectRoot, 'client/src/types.ts'), 'utf8');
  write('types.d.ts', types);
  const document = apiDocument({ serverUrl: '/', version: serviceVersion() });
  write('index.d.ts', declarations(document, operations, exportedTypes(types)));
  write('package.json', `${JSON.stringify(manifest(), undefined, 2)}\n`);
  cpSync(join(projectRoot, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(projectRoot, 'client/README.md'), join(outdir, 'README.md'));
  await Promise.all([
    build({ ...options, stdin: clientModule(), outfile: join(outdir, 'index.js') }),
    build({
      ...options,
      platform: 'node',
      target: 'node20',
      entryPoints: [join(projectRoot, 'client/command/main.ts')],
      external: [clientName],
      outfile: join(outdir, 'nightlatch.js'),
    }),
  ]);
  chmodSync(join(outdir, 'nightlatch.js'), 0o755);
};

const options: BuildOptions = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  tsconfigRaw: {},
  logLevel: 'warning',
};

/** Returns the source of the library, for esbuild. */
export const clientModule = () => ({
  contents: `import { clientOf } from './client/src/index.ts';
export { NightlatchConnectionError, NightlatchError, WebhookVerificationError, signWebhook, verifyWebhook } from './client/src/index.ts';
export const Nightlatch = clientOf(${JSON.stringify(operationLines(clientOperations()))});`,
  resolveDir: projectRoot,
  loader: 'ts' as const,
});

const exportedTypes = (text: string): string[] =>
  [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name).sort();

/** The package.json of the client: version and license are those of the service. */
const manifest = () => {
  const { license } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    license: string;
  };
  return {
    name: clientName,
    version: serviceVersion(),
    description: 'Client of Nightlatch, a lodging rental back end that cannot double-book.',
    license,
    keywords: ['nightlatch', 'booking', 'lodging', 'webhooks'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    bin: { nightlatch: './nightlatch.js' },
    files: ['index.js', 'index.d.ts', 'types.d.ts', 'nightlatch.js'],
    publishConfig: { access: 'public' },
  };
};
