import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

/** The project's root: functions are built from here. */
export const projectRoot = join(import.meta.dirname, '..');

/** One Lambda: its folder below `functions/` is its name, for example `listings` or `workers/publisher`. */
export interface FunctionSource {
  name: string;
  /** Its `index.ts`, from the project's root. */
  entry: string;
}

const families = ['workers', 'schedules'];

/** Every function of the project: each folder below `functions/` that has an `index.ts`. */
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

/** The version that health and documents tell. */
export const serviceVersion = (root: string = projectRoot): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Packages that lie beside the bundles that may need them, and are loaded by those deployments that do. */
const packagesBeside = ['stripe'];

/**
 * The one setting of every bundle, on AWS and on a laptop: CommonJS without dynamic imports starts fastest on Node 24,
 * and the SDK is bundled because that starts faster than the runtime's own.
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
    'node:https': './shared/platform/sdk/https.ts',
  },
  // An import of types alone loads nothing.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  logLevel: 'warning',
});

/** Files that lie beside a bundle, by function: where from (as a module) and under which name. */
const assets: Record<string, Record<string, string>> = {
  system: {
    'assets/swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
    'assets/swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  },
};

/** Copies the files that belong beside the bundles. */
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

/** Puts each package beside the bundles that name it, where `require` finds it: a bundle of its own. */
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

/** Bundles functions into `<outdir>/<name>/index.js`, all in one run, without Docker: what the cloud stacks deploy. */
export const bundleFunctions = (sources: readonly FunctionSource[], outdir: string): void => {
  const { metafile } = buildSync({ ...bundleOptions(sources, outdir), metafile: true });
  copyAssets(sources, outdir);
  copyPackages(metafile, outdir);
};
