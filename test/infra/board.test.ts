import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BoardFile, boardHeaders, buildBoard, embedFor, stayHeaders } from '../../infra/board/build.ts';

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
  const ofGuests = () => [...files.keys()].filter((name) => name.startsWith('stay/'));
  const ofHosts = () => [...files.keys()].filter((name) => !name.startsWith('stay/'));
  const lazy = ['team-page-', 'figures-page-'];

  it('are at most 88 KB compressed, and 95 with the pages that few open', () => {
    const all = ofHosts();
    const parts = lazy.map((name) => named(name, '.js'));
    expect(size(all.filter((name) => !parts.includes(name)))).toBeLessThan(88_000);
    expect(size(all)).toBeLessThan(95_000);
    for (const name of parts) expect(size([name])).toBeGreaterThan(1000);
    expect(text('index.html')).not.toContain(lazy[0]);
  });

  it('are named by their content and kept for a year where the page names them, and asked for again where not', () => {
    const page = text('index.html');
    const main = [named('main-', '.js'), named('main-', '.css')];
    const hashed = ofHosts().filter((name) => /\.(js|css)$/.test(name) && name !== 'worker.js');
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

  it('for guests are at most 75 KB compressed, the script for other pages 60 KB, and nothing of hosts', () => {
    expect(size(ofGuests().filter((name) => name !== 'stay/embed.js'))).toBeLessThan(75_000);
    expect(size(['stay/embed.js'])).toBeLessThan(60_000);
    const page = text('stay/index.html');
    for (const name of [named('stay/main-', '.js'), named('stay/main-', '.css')]) {
      expect(page).toContain(`"${name.replace('stay/', '')}"`);
      expect(files.get(name)?.cacheControl).toBe('public, max-age=31536000, immutable');
    }
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style="|https?:/);
    for (const name of ['stay/index.html', 'stay/embed.js', 'stay/icon.svg'])
      expect(files.get(name)?.cacheControl).toBe('no-cache');
    const script = text(named('stay/main-', '.js'));
    expect(script).toContain('code_challenge');
    for (const one of [script, text('stay/embed.js')]) expect(one).not.toMatch(/In house today|indexedDB/);
    expect(text('stay/embed.js')).not.toMatch(
      /code_challenge|localStorage\.setItem|document\.cookie|import\(/,
    );
    expect(embedFor('https://api.example.com/v', files.get('stay/embed.js')!)).toContain(
      '"https://api.example.com/v"',
    );
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
    const stays = stayHeaders({ api_url: 'https://api.example.com', issuer: 'https://id.example.com/' });
    expect(stays['Cross-Origin-Resource-Policy']).toBe('cross-origin');
    const differing = stays['Content-Security-Policy']
      .split('; ')
      .filter((rule) => !policy('https://api.example.com').includes(rule));
    expect(differing).toEqual(["img-src 'self' https:", "trusted-types 'none'"]);
    expect(policy('')).toContain("connect-src 'self' https://id.example.com");
    const page = text('index.html');
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style="|https?:/);
  });
});
