import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

/** The project's root. */
export const projectRoot = join(import.meta.dirname, '..');

/** A Lambda function: its name is its folder below `functions/`, for example `listings` or `workers/publisher`. */
export interface FunctionSource {
  name: string;
  /** Its `index.ts`, relative to the project's root. */
  entry: string;
}

const families = ['workers', 'schedules'];

/** Returns every function: each folder below `functions/` that has an `index.ts`. */
export const functionSources = (root: string = projectRoot): FunctionSource[] => {
  const folders = (place: string) =>
    existsSync(join(root, place))
      ? readdirSync(join(root, place), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => entry.name)
      : [];
  const names = [
    ...folders('functions').filter((name) => !families.includes(name)),
    ...families.flatMap((family) => folders(`functions/${family}`).map((name) => `${family}/${name}`)),
  ];
  return names
    .map((name) => ({ name, entry: `functions/${name}/index.ts` }))
    .filter(({ entry }) => existsSync(join(root, entry)))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
};

/** Returns the version that the health check and the documents show. */
export const serviceVersion = (root: string = projectRoot): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Packages that are deployed beside the bundles and loaded only where they are used. */
const packagesBeside = ['stripe'];

/**
 * Returns the build options of every bundle, on AWS and locally: CommonJS without dynamic imports starts fastest on Node 24,
 * and a bundled SDK, for the services beside the table, starts faster than the runtime's own.
 */
export const bundleOptions = (sources: readonly FunctionSource[], outdir: string): BuildOptions => ({
  absWorkingDir: projectRoot,
  entryPoints: sources.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  define: {
    'import.meta.dirname': '__dirname',
    'process.env.SERVICE_VERSION': JSON.stringify(serviceVersion()),
  },
  external: [...packagesBeside],
  alias: {
    '@aws-sdk/credential-provider-node': './shared/platform/sdk/credentials.ts',
    '@smithy/core/event-streams': './shared/platform/sdk/event-streams.ts',
    'node:https': './shared/platform/sdk/https.ts',
  },
  // Type-only imports are dropped.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  logLevel: 'warning',
});

/** Files to copy beside a bundle, by function: source module and file name. */
const assets: Record<string, Record<string, string>> = {
  system: {
    'assets/swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
    'assets/swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  },
};

/** Copies the files of {@link assets} beside the bundles. */
export const copyAssets = (sources: readonly FunctionSource[], outdir: string): void => {
  const { resolve } = createRequire(import.meta.url);
  for (const { name } of sources) {
    for (const [file, module] of Object.entries(assets[name] ?? {})) {
      const target = join(outdir, name, file);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(resolve(module), target);
    }
  }
};

/** Bundles each package of {@link packagesBeside} beside the bundles that require it. */
export const copyPackages = ({ outputs }: Metafile, outdir: string): void => {
  for (const [bundle, { imports }] of Object.entries(outputs))
    for (const name of packagesBeside.filter((wanted) => imports.some(({ path }) => path === wanted))) {
      const file = join(outdir, 'packages', `${name}.js`);
      if (!existsSync(file))
        buildSync({ ...bundleOptions([], outdir), entryPoints: [name], external: [], outdir: dirname(file) });
      const target = join(projectRoot, dirname(bundle), 'node_modules', name, 'index.js');
      mkdirSync(dirname(target), { recursive: true });
      cpSync(file, target);
    }
};

/** Bundles functions into `<outdir>/<name>/index.js` in one run, without Docker: what the cloud stacks deploy. */
export const bundleFunctions = (sources: readonly FunctionSource[], outdir: string): void => {
  const { metafile } = buildSync({ ...bundleOptions(sources, outdir), metafile: true });
  copyAssets(sources, outdir);
  copyPackages(metafile, outdir);
};
