import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin, stop } from 'esbuild';
import { exampleUrls } from '../shared/platform/http/shown-examples.ts';
import { leanDeclarations } from './lean-declarations.ts';

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

/** Bundles describe no schemas: they do without zod's JSON Schema, 18 KB of each, without descriptions and examples. */
const jsonSchemaOfZod = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;
/** What zod imports from these two modules. Creating a schema calls the last two, describing it the others. */
const refused = [
  'toJSONSchema',
  'allProcessors',
  'extractDefs',
  'finalize',
  'initializeContext',
  'processSchema',
];
const methods = ['createToJSONSchemaMethod', 'createStandardJSONSchemaMethod'];
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup: (builder) => {
    const contents = [
      `const refuse = () => { throw new Error('This bundle describes no schemas: see infra/bundling.ts.'); };`,
      ...refused.map((name) => `export const ${name} = refuse;`),
      ...methods.map((name) => `export const ${name} = () => refuse;`),
    ].join('\n');
    builder.onLoad({ filter: jsonSchemaOfZod }, () => ({ contents, loader: 'js' }));
  },
};

/** The OpenAPI document is made when the function that serves it is bundled. */
const withBuiltDocument: Plugin = {
  name: 'with-built-document',
  setup: (builder) => {
    const contents = `
      import { readFile } from 'node:fs/promises';
      import { join } from 'node:path';
      export const documentText = () => readFile(join(import.meta.dirname, 'assets', 'openapi.json'), 'utf8');`;
    builder.onLoad({ filter: /[\\/]system[\\/]document-text\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

const exampleFile = /(-example\.schema|[\\/]example-records)\.ts$/;
/** An example of which every part, and what is computed from it, is empty. */
const noExample = `
  const symbols = { [Symbol.iterator]: () => [].values(), [Symbol.toPrimitive]: () => '' };
  const none = new Proxy(() => none, { get: (_, key) => (typeof key === 'symbol' ? symbols[key] : none) });`;
/** Examples are only shown in the documents. */
const withoutExamples: Plugin = {
  name: 'without-examples',
  setup: (builder) => {
    builder.onLoad({ filter: exampleFile }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
      const contents = [noExample, ...names.map((name) => `export const ${name} = none;`)].join('\n');
      return { contents, loader: 'js' };
    });
  },
};

/** Middy wants the names of status codes from `node:http`, which takes a millisecond of the start of functions that need no more of it. */
const withoutHttp: Plugin = {
  name: 'without-http',
  setup: (builder) => {
    const path = join(projectRoot, 'shared', 'platform', 'sdk', 'status-codes.ts');
    builder.onResolve({ filter: /^node:http$/ }, ({ importer }) =>
      /[\\/]@middy[\\/]util[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/**
 * Of a namespace that another module exports again, esbuild keeps everything; of the module itself, what is used. And zod looks for
 * cycles in what it parses, which JSON does not have.
 */
const editsOfZod = [
  ['import { util } from "../core/index.js";', 'import * as util from "../core/util.js";'],
  ['core.util.', 'util.'],
  ['core.memoizer()', 'undefined'],
] as const;
const withoutUnusedOfZod: Plugin = {
  name: 'without-unused-of-zod',
  setup: (builder) => {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, ({ path }) => {
      const edited = (text: string, [from, to]: readonly [string, string]) => {
        if (!text.includes(from)) throw new Error(`${path} has no \`${from}\`: see infra/bundling.ts.`);
        return text.replaceAll(from, to);
      };
      return { contents: editsOfZod.reduce(edited, readFileSync(path, 'utf8')), loader: 'js' };
    });
  },
};

/** Packages that are deployed beside the bundles and loaded only where they are used. */
const packagesBeside = ['stripe'];

/**
 * Returns the build options of every bundle, on AWS and locally: CommonJS without dynamic imports starts fastest on Node 24,
 * and a bundled SDK, for the services beside the table, starts faster than the runtime's own.
 */
const bundleOptions = (sources: readonly FunctionSource[], outdir: string): BuildOptions => ({
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
    https: './shared/platform/sdk/https.ts',
  },
  // Type-only imports are dropped.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  logLevel: 'warning',
});

/**
 * esbuild escapes what is not ASCII, but not in regular expressions. With one such letter V8 holds the whole source in twice the
 * memory, which takes another millisecond of a start.
 */
const escapeLetters = (file: string): void => {
  const text = readFileSync(file, 'utf8');
  const escaped = text.replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
};

/** Writes the documentation site and the OpenAPI document beside the bundle that serves them. */
const writeSite = async (sources: readonly FunctionSource[], outdir: string): Promise<void> => {
  if (!sources.some(({ name }) => name === 'system')) return;
  const [{ siteFiles }, { apiDocument }] = await Promise.all([
    import('./docs/site/site.ts'),
    import('../functions/system/api-document.ts'),
  ]);
  const version = serviceVersion();
  const folder = join(outdir, 'system', 'assets');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of siteFiles(version)) writeFileSync(join(folder, name), text);
  const document = apiDocument({ serverUrl: exampleUrls.api, version });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
};

/** Bundles each package of {@link packagesBeside} beside the bundles that require it. */
const copyPackages = async ({ outputs }: Metafile, outdir: string): Promise<void> => {
  for (const [bundle, { imports }] of Object.entries(outputs))
    for (const name of packagesBeside.filter((wanted) => imports.some(({ path }) => path === wanted))) {
      const file = join(outdir, 'packages', `${name}.js`);
      if (!existsSync(file))
        await build({
          ...bundleOptions([], outdir),
          entryPoints: [name],
          external: [],
          outdir: dirname(file),
        });
      const target = join(projectRoot, dirname(bundle), 'node_modules', name, 'index.js');
      mkdirSync(dirname(target), { recursive: true });
      cpSync(file, target);
    }
};

/** Builds the bundles of functions and returns what they contain; without `write`, no file is written. */
export const buildBundles = async (
  sources: readonly FunctionSource[],
  outdir: string,
  { write = false } = {},
): Promise<Metafile> => {
  const { metafile } = await build({
    ...bundleOptions(sources, outdir),
    plugins: [
      withoutHttp,
      withoutUnusedOfZod,
      withoutJsonSchema,
      withoutExamples,
      withBuiltDocument,
      leanDeclarations,
    ],
    write,
    metafile: true,
  });
  if (write) for (const file of Object.keys(metafile.outputs)) escapeLetters(join(projectRoot, file));
  return metafile;
};

/** Bundles functions into `<outdir>/<name>/index.js`, on AWS and locally, without Docker. */
export const bundleFunctions = async (
  sources: readonly FunctionSource[],
  outdir: string,
): Promise<Metafile> => {
  const metafile = await buildBundles(sources, outdir, { write: true });
  await writeSite(sources, outdir);
  await copyPackages(metafile, outdir);
  await stop();
  return metafile;
};
