import { readFileSync } from 'node:fs';
import { Marked } from 'marked';

const root = new URL('../../../', import.meta.url);

/** The pages of the site by the file that they are made from, relative to the project's root. */
export const writtenPages: Readonly<Record<string, string>> = {
  'docs/partners.md': 'partners',
  'docs/hosts.md': 'hosts',
  'docs/money.md': 'money',
  'docs/glossary.md': 'glossary',
  'docs/reference/errors.md': 'errors',
  'CHANGELOG.md': 'changelog',
};

/** Files that the site shows in another form. */
const shownAs: Readonly<Record<string, string>> = {
  ...writtenPages,
  'docs/reference/events.md': 'events',
  'docs/reference/routes.md': 'reference',
};

/** Returns text as it is written in HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the anchor of a heading, as GitHub names it. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

export interface Heading {
  id: string;
  title: string;
  depth: number;
}

interface Place {
  /** The file that the text is from, relative to the project's root. */
  file: string;
  /** What precedes the name of another page: `docs/` on the page at `/docs`. */
  base: string;
  /** Gets each heading. */
  onHeading?: (heading: Heading) => void;
}

/** Returns the address on the site; undefined for a file that the site does not have. */
const addressOf = (href: string, { file, base }: Place): string | undefined => {
  if (/^(https?:|#)/.test(href)) return href;
  const target = new URL(href, `file:///${file}`);
  const page = shownAs[target.pathname.slice(1)];
  return page === undefined ? undefined : `${base}${page}${target.hash}`;
};

/** Returns a picture of the docs, drawn in the page: it has the colours of the page, and asks for no file. */
const picture = ({ pathname }: URL, meaning: string): string =>
  `<span class="picture" role="img" aria-label="${escaped(meaning)}">${readFileSync(new URL(pathname.slice(1), root), 'utf8')}</span>`;

/** Returns Markdown as HTML: links lead to pages of the site, and a link to any other file is its text. */
export const htmlOf = (markdown: string, place: Place): string => {
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const title = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = slug(title);
        place.onHeading?.({ id, title, depth });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      // A corner without a title heads nothing.
      tablecell({ header, tokens }) {
        const html = this.parser.parseInline(tokens);
        return header && html !== '' ? `<th scope="col">${html}</th>` : `<td>${html}</td>`;
      },
      image: ({ href, text }) => picture(new URL(href, `file:///${place.file}`), text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, place);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
};

const inline = new Marked();

/** Returns one paragraph of Markdown as HTML. */
export const inlineHtml = (text: string): string => inline.parseInline(text, { async: false });
