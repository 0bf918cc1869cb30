import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { projectRoot } from '../bundling.ts';
import { clientModule, clientName } from '../client/build.ts';

/** A file of the board, as it is served. */
export interface BoardFile {
  contentType: string;
  cacheControl: string;
  body: Uint8Array;
}

/** What the board needs of where it is served; it reads it as `config.json`. */
export interface BoardConfig {
  /** Where the API is, without a slash at the end; empty: the origin of the board itself. */
  api_url: string;
  issuer: string;
  audience: string;
  /** The public client that signs people in: of the service's own pages for hosts (D106), of guests on their page; empty: none. */
  client_id: string;
}

const source = join(projectRoot, 'board');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** The client of the same revision, as partners install it. */
const withClient: Plugin = {
  name: 'with-client',
  setup: (builder) => {
    builder.onResolve({ filter: new RegExp(`^${clientName}$`) }, () => ({
      path: clientName,
      namespace: 'client',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'client' }, () => clientModule());
  },
};

const bundle = async (entry: string, options: BuildOptions) => {
  const { outputFiles = [], metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [join(source, 'src', entry)],
    bundle: true,
    write: false,
    outdir: 'board',
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    plugins: [withClient],
    tsconfigRaw: {},
    logLevel: 'warning',
    ...options,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  return { files, outputs: Object.entries(metafile?.outputs ?? {}) };
};

/** The names of these files have their hash, so they never change what they name: a browser keeps one for a year. */
const forever = 'public, max-age=31536000, immutable';

/** The page of an entry and its parts; those that few open are files of their own. */
const bundlePage = async (entry: string) => {
  const names = '[name]-[hash]';
  const { files, outputs } = await bundle(entry, {
    ...{ splitting: true, entryNames: names, chunkNames: names },
  });
  const [main, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(`/${entry}`)) ?? [
    '',
    { imports: [] },
  ];
  const needed = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  return { files, main: basename(main), needed };
};

type Add = (name: string, body: Uint8Array, cacheControl?: string) => void;

const publicFile = (name: string): Uint8Array => readFileSync(join(source, 'public', name));

/** Adds a page to a folder, and the bundles that it names; returns the names of these. */
const addPage = async (add: Add, folder: string, entry: string, links = ''): Promise<string[]> => {
  const { files: parts, main, needed } = await bundlePage(entry);
  for (const [name, body] of parts) add(folder + name, body, forever);
  const style = [...parts.keys()].find((name) => name.endsWith('.css')) ?? '';
  const preload = needed.map((name) => `<link rel="modulepreload" href="${name}" />`).join('');
  const page = Buffer.from(publicFile('index.html'))
    .toString()
    .replace('main.css', style)
    .replace('<script', `${links}${preload}<script`)
    .replace('main.js', main);
  add(`${folder}index.html`, Buffer.from(page));
  add(`${folder}icon.svg`, publicFile('icon.svg'));
  return [...parts.keys()];
};

/** Where the files for guests are (D145). */
export const stayFolder = 'stay/';
/** The script that hosts put into their own pages. It knows where the API is, since it loads nothing. */
export const embedName = `${stayFolder}embed.js`;
const someApi = 'https://api.invalid';

/** Returns the script for an API; empty: at the origin that serves the script. */
export const embedFor = (api_url: string, { body }: Pick<BoardFile, 'body'>): string =>
  Buffer.from(body)
    .toString()
    .replace(someApi, api_url || '/');

/** Returns the files of the board and of the page for guests by their names, without each `config.json`. */
export const buildBoard = async (): Promise<Map<string, BoardFile>> => {
  const files = new Map<string, BoardFile>();
  const add: Add = (name, body, cacheControl = 'no-cache') =>
    void files.set(name, { contentType: contentTypes[extname(name)] ?? '', cacheControl, body });
  const manifest = 'board.webmanifest';
  add(manifest, publicFile(manifest));
  const shell = await addPage(add, '', 'main.tsx', `<link rel="manifest" href="${manifest}" />`);
  const kept = JSON.stringify(['./', 'config.json', 'icon.svg', ...shell]);
  const worker = await bundle('worker.ts', { define: { SHELL: kept } });
  for (const [name, body] of worker.files) add(name, body);
  await addPage(add, stayFolder, 'stay/main.tsx');
  const embed = await bundle('stay/embed.tsx', {
    ...{ format: 'iife', define: { API_URL: JSON.stringify(someApi) }, loader: { '.css': 'text' } },
  });
  for (const body of embed.files.values()) add(embedName, body);
  return files;
};

const headersOf = (
  { api_url, issuer }: Pick<BoardConfig, 'api_url' | 'issuer'>,
  { pictures, trusted, readers }: { pictures: string; trusted: string; readers: string },
) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${pictures}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src ${["'self'", ...new Set([api_url, new URL(issuer).origin].filter((at) => at !== ''))].join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trusted}`,
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': readers,
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

/** The Content-Security-Policy and other headers of every file: the board talks to the API and the identity provider alone. */
export const boardHeaders = (config: Pick<BoardConfig, 'api_url' | 'issuer'>) =>
  headersOf(config, { pictures: "'self'", trusted: 'board', readers: 'same-origin' });

/** Of the files for guests: pictures are where hosts have put them, and the script is for pages of other origins. */
export const stayHeaders = (config: Pick<BoardConfig, 'api_url' | 'issuer'>) =>
  headersOf(config, { pictures: "'self' https:", trusted: "'none'", readers: 'cross-origin' });
