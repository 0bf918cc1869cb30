import { readdirSync, readFileSync } from 'node:fs';
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
  /** The public client of the service's own pages, which is one of the applications for hosts (D106). */
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

/** The page and its parts; those that few open are files of their own. */
const bundlePage = async () => {
  const names = '[name]-[hash]';
  const { files, outputs } = await bundle('main.tsx', {
    ...{ splitting: true, entryNames: names, chunkNames: names },
  });
  const [main, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('/main.tsx')) ?? [
    '',
    { imports: [] },
  ];
  const needed = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  return { files, main: basename(main), needed };
};

/** Returns the files of the board by their names, without `config.json`. */
export const buildBoard = async (): Promise<Map<string, BoardFile>> => {
  const files = new Map<string, BoardFile>();
  const add = (name: string, body: Uint8Array, cacheControl = 'no-cache'): void =>
    void files.set(name, { contentType: contentTypes[extname(name)] ?? '', cacheControl, body });
  const addText = (name: string, text: string): void => add(name, Buffer.from(text));
  const { files: parts, main, needed } = await bundlePage();
  for (const [name, body] of parts) add(name, body, forever);
  const style = [...parts.keys()].find((name) => name.endsWith('.css')) ?? '';
  const preload = needed.map((name) => `<link rel="modulepreload" href="${name}" />`).join('');
  const page = readFileSync(join(source, 'public/index.html'), 'utf8')
    .replace('main.css', style)
    .replace('<script', `${preload}<script`)
    .replace('main.js', main);
  const shell = [...files.keys()];
  for (const name of readdirSync(join(source, 'public')).filter((file) => file !== 'index.html'))
    add(name, readFileSync(join(source, 'public', name)));
  addText('index.html', page);
  const kept = JSON.stringify(['./', 'config.json', 'icon.svg', ...shell]);
  const worker = await bundle('worker.ts', { define: { SHELL: kept } });
  for (const [name, body] of worker.files) add(name, body);
  return files;
};

/** The Content-Security-Policy and other headers of every file: the board talks to the API and the identity provider alone. */
export const boardHeaders = ({ api_url, issuer }: Pick<BoardConfig, 'api_url' | 'issuer'>) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src ${["'self'", ...new Set([api_url, new URL(issuer).origin].filter((at) => at !== ''))].join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types board',
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});
