import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
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

const bundle = async (
  entry: string,
  define: Record<string, string> = {},
): Promise<Map<string, Uint8Array>> => {
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [join(source, 'src', entry)],
    bundle: true,
    write: false,
    outdir: 'board',
    entryNames: '[name]',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    define,
    plugins: [withClient],
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1) ?? '', contents]));
};

/** Names never change what they name: a browser keeps such a file for a year. */
const forever = 'public, max-age=31536000, immutable';

const nameOf = (name: string, body: Uint8Array): string => {
  const ending = extname(name);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
  return `${name.slice(0, -ending.length)}-${hash}${ending}`;
};

/** Returns the files of the board by their names, without `config.json`. */
export const buildBoard = async (): Promise<Map<string, BoardFile>> => {
  const files = new Map<string, BoardFile>();
  const add = (name: string, body: Uint8Array, cacheControl = 'no-cache'): void =>
    void files.set(name, { contentType: contentTypes[extname(name)] ?? '', cacheControl, body });
  const addText = (name: string, text: string): void => add(name, Buffer.from(text));
  let page = readFileSync(join(source, 'public/index.html'), 'utf8');
  for (const [name, body] of await bundle('main.tsx')) {
    const named = nameOf(name, body);
    page = page.replace(name, named);
    add(named, body, forever);
  }
  const shell = [...files.keys()];
  for (const name of readdirSync(join(source, 'public')).filter((file) => file !== 'index.html'))
    add(name, readFileSync(join(source, 'public', name)));
  addText('index.html', page);
  const kept = JSON.stringify(['./', 'config.json', 'icon.svg', ...shell]);
  for (const [name, body] of await bundle('worker.ts', { SHELL: kept })) add(name, body);
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
