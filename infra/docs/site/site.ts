import { readFileSync } from 'node:fs';
import { apiDocument } from '../../../functions/system/api-document.ts';
import { exampleUrls } from '../../../shared/platform/http/shown-examples.ts';
import type { OpenApiDocument } from '../../../shared/platform/http/openapi-document.ts';
import { type Examples, operationsOf, writtenExamples } from './document.ts';
import { assets, type Page, pageHtml } from './layout.ts';
import { escaped, type Heading, htmlOf, inlineHtml, slug, writtenPages } from './markdown.ts';
import { operationHtml, callers } from './operations.ts';
import { Types } from './types.ts';

const root = new URL('../../../', import.meta.url);

/** Something that the search finds: title, address, kind and further words. */
type Found = [title: string, address: string, kind: string, words: string];

const titled = (headings: readonly Heading[], depth: number): { id: string; title: string }[] =>
  headings.filter((heading) => heading.depth === depth).map(({ id, title }) => ({ id, title }));

const isList = /^(?:- \[[^\]]+\]\(#[^)]+\)\n)+/m;

const overview = ({ info }: OpenApiDocument): [Page, Found[]] => {
  const headings: Heading[] = [];
  const place = { file: 'docs/index.md', base: 'docs/', onHeading: (one: Heading) => headings.push(one) };
  const html = `<h1>Nightlatch API</h1><ul class="cards"><li><a href="docs/partners">Partners</a> Book with an API key, webhooks, paying</li><li><a href="docs/hosts">Hosts</a> Calendar, prices, other platforms</li><li><a href="docs/money">Money</a> Payments, charges, adjustments, refunds</li><li><a href="docs/reference">Reference</a> Every operation, to read and to try</li><li><a href="docs/events">Events</a> What webhooks and the feed carry</li><li><a href="docs/errors">Errors</a> Cause and remedy of each code</li></ul>${htmlOf(info.description ?? '', place)}`;
  const page = { name: 'index', title: 'Overview', group: 'Guides', parts: titled(headings, 2), html };
  return [page, []];
};

const written = (file: string, name: string): [Page, Found[]] => {
  const headings: Heading[] = [];
  const markdown = readFileSync(new URL(file, root), 'utf8').replace(isList, '');
  const html = htmlOf(markdown, { file, base: '', onHeading: (one) => headings.push(one) })
    // A code of the table can be linked to.
    .replaceAll(/<td>(<code>([A-Z_]+)<\/code><\/td>)/g, '<td id="$2">$1');
  const title = headings[0]?.title ?? name;
  const group = ['errors', 'changelog'].includes(name) ? 'More' : 'Guides';
  const codes = name === 'errors' ? [...html.matchAll(/<td id="(\w+)">/g)] : [];
  const found = headings.map(({ id, title: text }): Found => [text, `${name}#${id}`, title, '']);
  return [
    { name, title, group, parts: titled(headings, 2), html },
    [...found, ...codes.map(([, code = '']): Found => [code, `${name}#${code}`, 'Error', ''])],
  ];
};

const tagPage = (
  document: OpenApiDocument,
  examples: Examples,
  name: string,
  description = '',
): [Page, Found[]] => {
  const types = new Types(document.components.schemas);
  const operations = operationsOf(document, name);
  const page = slug(name);
  const sections = operations.map((placed) =>
    operationHtml(document, placed, types, examples.get(placed.operation.operationId)),
  );
  const html = `<h1>${escaped(name)}</h1><p class="lead">${inlineHtml(description)}</p>${sections.join('\n')}${types.objects()}`;
  const parts = operations.map(({ operation: { operationId, summary } }) => ({
    id: operationId,
    title: inlineHtml(summary),
  }));
  const found = operations.map(({ operation: { operationId, summary }, method, path }): Found => [
    summary,
    `${page}#${operationId}`,
    `${method} ${path}`,
    operationId,
  ]);
  return [{ name: page, title: name, group: 'Reference', parts, html }, found];
};

/** Every operation in one list. */
const referencePage = (document: OpenApiDocument): Page => {
  const lists = document.tags.map(({ name, description = '' }) => {
    const items = operationsOf(document, name).map(
      ({ operation: { operationId, summary }, method, path }) =>
        `<tr><td><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code></td><td><a href="${slug(name)}#${operationId}">${inlineHtml(summary)}</a></td></tr>`,
    );
    return `<h2 id="${slug(name)}"><a href="${slug(name)}">${escaped(name)}</a></h2><p>${inlineHtml(description)}</p><table><thead><tr><th scope="col">Call</th><th scope="col">What it does</th></tr></thead><tbody>${items.join('')}</tbody></table>`;
  });
  const schemes = Object.entries(document.components.securitySchemes).map(
    ([name, { description }]) => `<dt>${callers[name] ?? name}</dt><dd>${inlineHtml(description)}</dd>`,
  );
  const html = `<h1>Reference</h1><p>For generators of clients: <a href="../openapi.json">the OpenAPI 3.1 document</a>.</p><h2 id="credentials">Credentials</h2><dl>${schemes.join('')}</dl>${lists.join('')}`;
  return { name: 'reference', title: 'All operations', group: 'Reference', parts: [], html };
};

const eventsPage = (document: OpenApiDocument, examples: Examples): [Page, Found[]] => {
  const types = new Types(document.components.schemas);
  const events = Object.entries(document.webhooks ?? {}).flatMap(([type, { post }]) =>
    post ? [{ type, post }] : [],
  );
  const sections = events.map(({ type, post }) => {
    const media = post.requestBody?.content['application/json'] ?? { schema: {} };
    const example = escaped(JSON.stringify(examples.get(type), undefined, 2));
    return `<section class="op" id="${type}"><h2><code>${type}</code> <a class="anchor" href="#${type}" aria-label="Link to ${type}">#</a></h2><p>${inlineHtml(post.description)}</p><div class="columns"><div>${types.table(media.schema, 'Body')}</div><div class="aside"><pre><code>${example}</code></pre></div></div></section>`;
  });
  const html = `<h1>Events</h1><p class="lead">What webhooks and the feed of events carry. <a href="partners#webhooks-and-the-feed-of-events">How to receive and verify them</a>.</p>${sections.join('\n')}${types.objects()}`;
  const parts = events.map(({ type }) => ({ id: type, title: type }));
  return [
    { name: 'events', title: 'Events', group: 'More', parts, html },
    events.map(({ type, post }): Found => [type, `events#${type}`, 'Event', post.description]),
  ];
};

/**
 * Returns the files of the documentation site: pages, search index, script and style. Dates and addresses are those of the
 * examples; the service writes in the reader's own.
 */
export const siteFiles = (version: string): Map<string, string> => {
  const document = apiDocument({ serverUrl: exampleUrls.api, version });
  const examples = writtenExamples();
  const made = [
    overview(document),
    ...Object.entries(writtenPages).map(([file, name]) => written(file, name)),
    [referencePage(document), []] as [Page, Found[]],
    ...document.tags.map(({ name, description }) => tagPage(document, examples, name, description)),
    eventsPage(document, examples),
  ];
  const order = ['Guides', 'Reference', 'More'];
  const pages = made
    .map(([page]) => page)
    .toSorted((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
  return new Map([
    ...pages.map((page): [string, string] => [`${page.name}.html`, pageHtml(page, pages, version)]),
    ['search.json', JSON.stringify(made.flatMap(([, found]) => found))],
    ...Object.entries(assets),
  ]);
};
