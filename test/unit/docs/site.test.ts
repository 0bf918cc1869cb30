import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { siteFiles } from '../../../infra/docs/site/site.ts';
import { errorRemedies } from '../../../infra/docs/error-remedies.ts';
import { documentedRows } from '../../../shared/platform/http/openapi.ts';
import { routeGroups } from '../../../functions/routes.ts';
import { systemRoutes } from '../../../functions/system/routes.ts';
import { publicEventTypes } from '../../../shared/events.ts';

const files = siteFiles('0.1.0');
const pages = [...files].filter(([name]) => name.endsWith('.html'));
const textOf = (name: string): string => files.get(`${name}.html`) ?? '';
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** Returns the page and the anchor that an address names. */
const targetOf = (page: string, href: string): { file: string; anchor: string } => {
  const { pathname, hash } = new URL(href, `https://site.test/${page === 'index' ? 'docs' : `docs/${page}`}`);
  const name = pathname === '/docs' ? 'index' : pathname.slice('/docs/'.length);
  return { file: name.includes('.') ? name : `${name}.html`, anchor: decodeURIComponent(hash.slice(1)) };
};

describe('the documentation site', () => {
  it.each(pages)('has no dead link, no anchor twice and nothing from elsewhere in %s', (file, html) => {
    const page = file.replace('.html', '');
    const hrefs = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);
    const own = hrefs.filter((href) => !/^(https:\/\/|data:)/.test(href) && !href.endsWith('openapi.json'));
    const dead = own.filter((href) => {
      const target = targetOf(page, href);
      const text = files.get(target.file);
      return text === undefined || (target.anchor !== '' && !idsOf(text).includes(target.anchor));
    });
    expect(own.length).toBeGreaterThan(20);
    expect(dead).toEqual([]);
    const ids = idsOf(html);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
    // The policy of the pages allows none of these.
    expect(html).not.toMatch(/<style|<script(?![^>]+src=)| style="| on\w+="/);
  });

  it('names its files by addresses that their operation accepts', () => {
    const addresses = pages.flatMap(([, html]) =>
      [...html.matchAll(/ (?:href|src)="([^"]+\?[^"]+)"/g)].map(([, href = '']) => href),
    );
    const queries = addresses
      .filter((href) => !/^(https:\/\/|data:)/.test(href))
      .map((href) => Object.fromEntries(new URL(href, 'https://site.test/docs/').searchParams));
    expect(queries.length).toBeGreaterThan(2 * pages.length - 1);
    const { query } = systemRoutes.routes.getDocsAsset;
    expect(queries.filter((given) => !query.safeParse(given).success)).toEqual([]);
  });

  it('shows every operation once, and every event and error', () => {
    const shown = pages.flatMap(([, html]) =>
      [...html.matchAll(/<form data-id="(\w+)"/g)].map(([, id]) => id),
    );
    expect(shown.sort()).toEqual(
      documentedRows(routeGroups)
        .map(([id]) => id)
        .sort(),
    );
    expect(idsOf(textOf('events'))).toEqual(expect.arrayContaining([...publicEventTypes]));
    expect(idsOf(textOf('errors'))).toEqual(expect.arrayContaining(Object.keys(errorRemedies)));
  });

  it('finds what exists', () => {
    const found = JSON.parse(files.get('search.json') ?? '') as [string, string, string, string][];
    const dead = found.filter(([, address]) => {
      const { file, anchor } = targetOf('partners', address);
      return !idsOf(files.get(file) ?? '').includes(anchor);
    });
    expect(found.length).toBeGreaterThan(150);
    expect(dead).toEqual([]);
  });

  it('weighs at most 327 KB a page, 32 KB compressed', () => {
    const heavy = pages.filter(([, html]) => html.length > 327_000 || gzipSync(html).length > 32_000);
    expect(heavy.map(([name]) => name)).toEqual([]);
  });
});
