import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

interface Edit {
  from: number;
  to: number;
  text: string;
}

const isDescription = (
  node: ts.Node,
): node is ts.CallExpression & { expression: ts.PropertyAccessExpression } =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'meta' &&
  node.arguments.length === 1;

/** Returns the edits that drop each `.meta(…)`: what a schema is called and described with. */
const descriptionsIn = (source: ts.SourceFile): Edit[] => {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (isDescription(node)) {
      edits.push({ from: node.expression.expression.end, to: node.end, text: '' });
      visit(node.expression.expression);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return edits;
};

/** Returns the edits that mark each constant of a module as one that may be dropped where nothing uses it. */
const constantsIn = (source: ts.SourceFile): Edit[] =>
  source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && isMade(initializer)
        ? markedAsPure(initializer.getStart(source), initializer.end)
        : [],
    );

const markedAsPure = (from: number, to: number): Edit[] => [
  { from, to: from, text: '/* @__PURE__ */ (() => (' },
  { from: to, to, text: '))()' },
];

const isMade = (value: ts.Expression): boolean =>
  !ts.isArrowFunction(value) && !ts.isFunctionExpression(value) && !ts.isLiteralExpression(value);

/** Files that only declare: making one of their constants has no effect. */
const declaring = /(\.(schema|entity|events|data)|[\\/](schema|settings|env|routes|[a-z-]+-rows))\.ts$/;

const leanSource = (path: string, text: string): string => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return [...descriptionsIn(source), ...(declaring.test(path) ? constantsIn(source) : [])]
    .sort((one, other) => other.from - one.from || other.to - one.to)
    .reduce((rest, { from, to, text: by }) => rest.slice(0, from) + by + rest.slice(to), text);
};

/**
 * Descriptions of schemas are only shown in the documents; each also copies its schema when a bundle is loaded. And a schema that
 * a bundle does not use is left out of it, which esbuild does only where it knows that making one has no effect.
 */
export const leanDeclarations: Plugin = {
  name: 'lean-declarations',
  setup: (builder) => {
    builder.onLoad({ filter: /[\\/](shared|functions)[\\/].+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return declaring.test(path) || text.includes('.meta(')
        ? { contents: leanSource(path, text), loader: 'ts' }
        : undefined;
    });
  },
};
