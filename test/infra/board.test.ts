import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BoardFile, boardHeaders, buildBoard } from '../../infra/board/build.ts';

describe('the files of the board', () => {
  let files: Map<string, BoardFile>;
  beforeAll(async () => {
    files = await buildBoard();
  });
  const text = (name: string): string => Buffer.from(files.get(name)?.body ?? []).toString();
  const named = (start: string, ending: string): string =>
    [...files.keys()].find((name) => name.startsWith(start) && name.endsWith(ending)) ?? '';

  const size = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(files.get(name)?.body ?? '').length, 0);
  const lazy = ['team-page-', 'figures-page-'];

  it('are at most 88 KB compressed, and 95 with the pages that few open', () => {
    const all = [...files.keys()];
    const parts = lazy.map((name) => named(name, '.js'));
    expect(size(all.filter((name) => !parts.includes(name)))).toBeLessThan(88_000);
    expect(size(all)).toBeLessThan(95_000);
    for (const name of parts) expect(size([name])).toBeGreaterThan(1000);
    expect(text('index.html')).not.toContain(lazy[0]);
  });

  it('are named by their content and kept for a year where the page names them, and asked for again where not', () => {
    const page = text('index.html');
    const main = [named('main-', '.js'), named('main-', '.css')];
    const hashed = [...files.keys()].filter((name) => /\.(js|css)$/.test(name) && name !== 'worker.js');
    expect(hashed.length).toBeGreaterThan(4);
    for (const name of hashed) {
      expect(name).toMatch(/-[0-9A-Z]{8}\./);
      expect(files.get(name)?.cacheControl).toBe('public, max-age=31536000, immutable');
      // The service worker keeps all of them, so that each page opens without a connection.
      expect(text('worker.js')).toContain(name);
    }
    const needed = [...text(main[0] ?? '').matchAll(/from ?"\.\/([^"]+)"/g)].map(([, name = '']) => name);
    for (const name of [...main, ...needed]) expect(page).toContain(`"${name}"`);
    for (const name of ['index.html', 'worker.js', 'board.webmanifest', 'icon.svg'])
      expect(files.get(name)?.cacheControl).toBe('no-cache');
    for (const { contentType } of files.values()) expect(contentType).not.toBe('');
  });

  it('are the same for the same sources', async () => {
    expect([...(await buildBoard()).keys()]).toEqual([...files.keys()]);
  });

  it('may ask their own origin, the API and the identity provider, and run what is theirs', () => {
    const policy = (api_url: string) =>
      boardHeaders({ api_url, issuer: 'https://id.example.com/tenant/' })['Content-Security-Policy'].split(
        '; ',
      );
    expect(policy('https://api.example.com')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "connect-src 'self' https://api.example.com https://id.example.com",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types board',
    ]);
    expect(policy('')).toContain("connect-src 'self' https://id.example.com");
    const page = text('index.html');
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style="|https?:/);
  });
});
