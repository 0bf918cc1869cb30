import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../../functions/routes.ts';
import { openApiDocument } from '../../../shared/platform/http/openapi.ts';
import { pages, textOf } from '../../support/docs.ts';
import { sourceFiles, sourceOf } from '../../support/sources.ts';

const product = ['shared', 'functions', 'infra', 'bin'];
const number = /\bD\d{1,3}b?\b/g;
const citation = /\bD\d{1,3}b?\b|\b[Ss]pec(ification)? \d/;

const decided = [...textOf('docs/decisions.md').matchAll(/^\*\*(D\d+b?)\. /gm)].map(([, name = '']) => name);

/** The texts of a file: what may be shown to someone, comments left out. */
const textsOf = (file: string): string[] => {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest));
  return texts;
};

describe('the decisions', () => {
  it('have each number once', () => {
    expect(decided.length).toBeGreaterThan(100);
    expect(decided.filter((name, at) => decided.indexOf(name) !== at)).toEqual([]);
  });

  it('have every number that the code cites', () => {
    const cited = sourceFiles([...product, 'test']).flatMap((file) =>
      [...sourceOf(file).matchAll(number)].map(([name]) => `${name} in ${file}`),
    );
    expect(cited.length).toBeGreaterThan(500);
    expect(cited.filter((place) => !decided.includes(place.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('say a reason and what would change them', () => {
    const paragraphs = textOf('docs/decisions.md')
      .split('\n')
      .filter((line) => line.startsWith('**D'));
    expect(paragraphs.filter((text) => !/ Reason: .+ Would change with: .+/.test(text))).toEqual([]);
  });
});

describe('published texts cite no decision and no specification', () => {
  it('in the OpenAPI document', () => {
    const document = openApiDocument({ groups: routeGroups, title: 'Nightlatch', version: '0.0.0' });
    const texts: string[] = [];
    JSON.stringify(document, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    expect(texts.filter((text) => citation.test(text))).toEqual([]);
  });

  it.each(pages.filter((page) => page !== 'docs/decisions.md'))('in %s', (page) => {
    const ours = page === 'CONTRIBUTING.md' ? /\b[Ss]pec(ification)? \d/ : citation;
    expect(
      textOf(page)
        .split('\n')
        .filter((line) => ours.test(line)),
    ).toEqual([]);
  });

  it('in the messages, mails, help texts and pages of the code', () => {
    const shown = sourceFiles(product)
      .filter((file) => citation.test(sourceOf(file)))
      .flatMap((file) => textsOf(file).map((text) => ({ file, text })));
    expect(shown.filter(({ text }) => citation.test(text))).toEqual([]);
  });
});

describe('what is not built yet', () => {
  /** The paths of the API that a paragraph names behind "Not built yet". */
  const unbuiltIn = (paragraph: string): string[] => {
    const [, rest = ''] = paragraph.split(/not built yet[.:]?/i);
    const named = rest.split(/ Reason: /)[0] ?? '';
    return [...named.matchAll(/`(?:[A-Z/]+ )?(\/[a-z-]+[^`\s]*)/g)].map(([, path = '']) => path);
  };
  const unbuilt = textOf('docs/decisions.md')
    .split('\n')
    .filter((line) => line.startsWith('**D'))
    .flatMap(unbuiltIn);
  const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}').replace(/\?.*/, '');
  const built = routeGroups.flatMap(({ routes }) => Object.values(routes).map(({ path }) => shapeOf(path)));

  it('has no route', () => {
    const sample = '`/a`. Not built yet: `GET /bookings/{id}/page`, `/tasks`. Reason: `/b`.';
    expect(unbuiltIn(sample)).toEqual(['/bookings/{id}/page', '/tasks']);
    expect(unbuilt.filter((path) => built.some((other) => other.endsWith(shapeOf(path))))).toEqual([]);
  });
});
