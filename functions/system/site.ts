import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../shared/platform/context.ts';
import { isLocal } from '../../shared/platform/environment/env.ts';
import { apiUrl } from '../../shared/platform/http/api-url.ts';
import { pagePolicy } from '../../shared/platform/http/html-page.ts';
import { Reply } from '../../shared/platform/http/reply.ts';
import { forReader } from './for-reader.ts';

/** A page runs its own script and talks to its own address, nothing else. */
const policy = pagePolicy("script-src 'self'", "style-src 'self'", 'img-src data:', "connect-src 'self'");

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Returns a file of the documentation site, which the build has put beside the bundle (D70). */
const fileOf = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'assets', name), 'utf8');

/** Answers a page with the dates of the day and the address that it was asked at. */
export const sitePage = async (name: string, { clock }: Pick<Context, 'clock'>): Promise<Reply<string>> => {
  const reader = { serverUrl: apiUrl(), now: clock.now(), isLocal: isLocal() };
  const text = forReader(await fileOf(`${name}.html`), reader);
  return new Reply(text, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
    },
  });
};

/** Answers script, style or search index of the site. */
export const siteAsset = async (name: string): Promise<Reply<string>> => {
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  return new Reply(await fileOf(name), {
    headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=86400' },
  });
};
