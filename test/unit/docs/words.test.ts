import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { pages, proseOf } from '../../support/docs.ts';
import { sourceFiles, sourceOf } from '../../support/sources.ts';

/** Words of a dialect that the code had; the glossary has the field's terms. */
const dialect =
  /\b(whoever|somebody|nobody|anybody|everybody|begun|tells?|told|telling|hears?|heard|owed|owes|for good|(on|under) (its|their) way|lost race|los(es|t|ing) (the|a) race|look(s|ed|ing)? after|(gives?|gave|given|giving) (it |them )?back|beaten|(is|are|was|were) faster|st(ands?|ood) for|own accord)\b/i;

/** This file names the words; two-way calendars are being rewritten. */
const exempt = /^test\/unit\/docs\/words\.test\.ts$/;

const commentsOf = (text: string, node: ts.Node): ts.TextRange[] => [
  ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
  ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
];

/** Returns the comments and the texts of a source: titles of tests, messages, descriptions. Identifiers are left out. */
const wordsOf = (file: string, text: string): string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of commentsOf(text, node)) found.set(pos, text.slice(pos, end));
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
      found.set(node.getStart(source), node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const inOrder = [...found].toSorted(([one], [other]) => one - other);
  return inOrder.flatMap(([, words]) => words.split('\n'));
};

const refused = (lines: readonly string[]): string[] =>
  lines.filter((line) => dialect.test(line)).map((line) => line.trim());

describe('standard English', () => {
  it('is found missing in titles, messages and comments, not in identifiers', () => {
    const source = [
      "it('is given to nobody', () => told());",
      '/** Tells the bus. */',
      'throw new Error(`${id} is looked after`); // begun',
    ].join('\n');
    expect(refused(wordsOf('a.ts', source))).toEqual([
      'is given to nobody',
      '/** Tells the bus. */',
      'is looked after',
      '// begun',
    ]);
  });

  it.each(pages)('is the language of %s', (page) => {
    expect(refused(proseOf(page).split('\n'))).toEqual([]);
  });

  it.each(['bin', 'board/src', 'client/src', 'client/command', 'functions', 'infra', 'shared', 'test'])(
    'is the language of comments, messages and test titles in %s',
    (folder) => {
      const files = sourceFiles([folder]).filter((file) => !exempt.test(file));
      expect(
        files.flatMap((file) => refused(wordsOf(file, sourceOf(file))).map((line) => `${file}: ${line}`)),
      ).toEqual([]);
    },
  );
});
