import ts from 'typescript';
import { isComparison, isFromOfMove, type Kind, type Mutation, mutationsOf, tableNames } from './rules.ts';

/** A place that one mutant changes. */
export interface Site {
  /** Unique, and the same while its text and its function keep theirs: `file function: text → change`. */
  id: string;
  file: string;
  line: number;
  kind: Kind;
}

/** A source with all its mutants, each behind a switch at run time. */
interface Instrumented {
  sites: Site[];
  code: string;
}

const nameOf = (node: ts.Node): string | undefined => {
  const named = node as { name?: ts.Node };
  const isNamed =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isGetAccessor(node);
  return isNamed && named.name && (ts.isIdentifier(named.name) || ts.isPrivateIdentifier(named.name))
    ? named.name.text
    : undefined;
};

/** Returns the name of the outermost function or constant around a node, and of the method in a class. */
const ownerOf = (node: ts.Node): string => {
  const names: string[] = [];
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    const name = nameOf(at);
    if (name !== undefined) names.unshift(name);
  }
  return names.slice(0, 2).join('.');
};

const longestText = 80;

/** Finds the mutants of a source and instruments it. */
export const instrument = (file: string, text: string): Instrumented => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const known = tableNames(source);
  const sites: Site[] = [];
  const seen = new Map<string, number>();

  const add = (node: ts.Node, mutation: Mutation): string => {
    const { kind, becomes } = mutation;
    const said = node.getText(source).replaceAll(/\s+/g, ' ');
    const shown = said.length > longestText ? `${said.slice(0, longestText)}…` : said;
    const operator = isComparison(mutation) ? `${shown} as ${becomes}` : `${shown} → ${becomes}`;
    const base = `${file} ${ownerOf(node)}: ${operator}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const id = count === 1 ? base : `${base} (${count})`;
    sites.push({ id, file, line, kind });
    return `__mutants.on(${JSON.stringify(id)})`;
  };

  /** The text of a node with its children instrumented. */
  const inner = (node: ts.Node): string => {
    let written = '';
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      written += text.slice(at, child.getStart(source)) + emit(child);
      at = child.end;
    });
    return written + text.slice(at, node.end);
  };

  const compared = (node: ts.BinaryExpression, mutation: Mutation): string =>
    mutation.code(`(${emit(node.left)}), (${emit(node.right)})`, add(node, mutation));

  const emit = (node: ts.Node): string => {
    if (ts.isTypeNode(node)) return node.getText(source);
    const mutations = mutationsOf(node, file, known);
    const comparison = mutations.find(isComparison);
    const others = mutations.filter((mutation) => mutation !== comparison);
    const isBinary = comparison !== undefined && ts.isBinaryExpression(node);
    let written = isBinary
      ? compared(node, comparison)
      : ts.isSpreadElement(node) && others.length > 0
        ? inner(node).slice(3)
        : inner(node);
    if (comparison && !isBinary) written = comparison.code(written, add(node, comparison));
    for (const mutation of others) written = mutation.code(written, add(node, mutation));
    return isFromOfMove(node) ? `get from() { return ${written.slice(written.indexOf('['))}; }` : written;
  };

  const code = text.slice(0, source.getStart(source)) + inner(source);
  return { sites, code };
};
