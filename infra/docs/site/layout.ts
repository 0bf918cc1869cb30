import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { escaped } from './markdown.ts';

/** A page of the site. */
export interface Page {
  /** Its name in addresses; `index` is the page at `/docs`. */
  name: string;
  title: string;
  group: string;
  /** What it holds, for the navigation. */
  parts: { id: string; title: string }[];
  html: string;
}

const assetUrl = (name: string): URL => new URL(`assets/${name}`, import.meta.url);

const bundled = (): string => {
  const entryPoints = [fileURLToPath(assetUrl('site.js'))];
  const { outputFiles } = buildSync({
    entryPoints,
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
};

/** Script and style of the site. */
export const assets = { 'site.css': readFileSync(assetUrl('site.css'), 'utf8'), 'site.js': bundled() };

/** Changes with the content, so that no reader has an old copy. */
const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%2316213a'/><path d='M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm2 0h2V5a1 1 0 0 0-2 0z' fill='%23ffd479'/></svg>";

const navigation = (page: Page, pages: readonly Page[], base: string, root: string): string => {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const address = ({ name }: Page): string => (name === 'index' ? `${root}docs` : `${base}${name}`);
  const link = (one: Page): string => {
    const isHere = one.name === page.name;
    const parts = isHere ? one.parts.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`) : [];
    return `<li><a href="${address(one)}"${isHere ? ' aria-current="page"' : ''}>${escaped(one.title)}</a>${parts.length > 0 ? `<ul>${parts.join('')}</ul>` : ''}</li>`;
  };
  return groups
    .map((group) => {
      const links = pages.filter((one) => one.group === group).map(link);
      return `<p class="group">${group}</p><ul>${links.join('')}</ul>`;
    })
    .join('');
};

/** Returns a whole page. Addresses are relative, so that the site works below any stage or domain. */
export const pageHtml = (page: Page, pages: readonly Page[], version: string): string => {
  const [base, root] = page.name === 'index' ? ['docs/', ''] : ['', '../'];
  return `<!doctype html>
<html lang="en" data-root="${root === '' ? './' : root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} – Nightlatch API</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${base}site.css?v=${versionOf(assets['site.css'])}">
<script src="${base}site.js?v=${versionOf(assets['site.js'])}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="brand" href="${root}docs">Nightlatch</a><span class="version">API ${version}</span>
<div class="search" role="search"><input id="site-search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off"><ul id="site-found" aria-label="Search results" hidden></ul></div>
<details class="keys"><summary>Credentials</summary><form id="keys"><label>API key<input name="ApiKey" type="password" autocomplete="off"></label><label>Access token<input name="Bearer" type="password" autocomplete="off"></label><label>Token of a guest’s link<input name="GuestLink" type="password" autocomplete="off"></label><label>Publishable key<input name="PublishableKey" type="password" autocomplete="off"></label><p>Kept in this tab alone, until it is closed.</p></form></details>
<a href="${root}openapi.json">openapi.json</a><button id="menu" aria-expanded="false" aria-controls="nav">Menu</button></header>
<div class="frame"><nav id="nav" aria-label="Pages">${navigation(page, pages, base, root)}</nav>
<main id="main" tabindex="-1">${page.html}</main></div>
</body>
</html>
`;
};
