import ts from 'typescript';
import { type IndexName, tableIndexes } from '../../shared/platform/table/entity.ts';
import { type Access, partitionsOf, type TableUse, usesOfKey } from './partitions.ts';

const reading = new Set(['readOf', 'get', 'conditionCheck', 'itemOf', 'itemsOf', 'paginate', 'filteredPage']);
const querying = new Set(['query', 'queryAll', 'count']);
const writing = new Set(['put', 'create', 'change', 'remove', 'increase']);
/** Functions that send nothing. */
const silent = new Set(['itemsPut', 'itemBytes']);

/** Returns what is done with an entity where it is named. A call that is not known both reads and writes. */
export const usesOfEntity = (entity: string, node: ts.Identifier): TableUse[] => {
  const { parent } = node;
  const as = (...all: Access[]) =>
    all.flatMap((access) => partitionsOf(entity).map((partition) => ({ partition, access })));
  if (ts.isPropertyAccessExpression(parent)) return usesOfMember(entity, parent);
  if (ts.isCallExpression(parent) && parent.arguments.includes(node)) {
    const called = calledBy(parent);
    const areAll = (names: ReadonlySet<string>) => called.every((name) => names.has(name));
    if (areAll(silent)) return [];
    if (areAll(writing)) return as('writes');
    if (areAll(reading)) return as('reads');
    // Who reads an index makes the key of its partition.
    if (areAll(querying)) return /\bindex: '/.test(parent.getText()) ? [] : as('reads');
  }
  if (ts.isPropertyAssignment(parent) && isPackedList(parent)) return as('reads');
  return as('reads', 'writes');
};

/** `Entity.partition(…)` is there to read a partition; `Entity.name` and the like send nothing. */
const usesOfMember = (entity: string, { name, parent }: ts.PropertyAccessExpression): TableUse[] => {
  if (name.text !== 'partition') return [];
  const [, index] = ts.isCallExpression(parent) ? parent.arguments : [];
  // An index may have keys of the same text.
  if (index === undefined) return partitionsOf(entity).flatMap(usesOfKey);
  if (!ts.isStringLiteral(index) || !(index.text in tableIndexes))
    throw new Error(`The index of a partition is written as text, not ${index.getText()}.`);
  const access = index.text as IndexName;
  return partitionsOf(entity, access).map((partition) => ({ partition, access }));
};

/** The names of the functions that a call may call: several for `(isNew ? create : put)(…)`. */
const calledBy = ({ expression }: ts.CallExpression): string[] => {
  if (ts.isPropertyAccessExpression(expression)) return [expression.name.text];
  if (ts.isIdentifier(expression)) return [expression.text];
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  return ts.isConditionalExpression(inner) ? [inner.whenTrue.getText(), inner.whenFalse.getText()] : [''];
};

/** The row of a packed list: its records are read and packed; only the list is written. */
const isPackedList = (property: ts.PropertyAssignment): boolean => {
  for (let node: ts.Node = property; !ts.isSourceFile(node); node = node.parent)
    if (ts.isVariableDeclaration(node)) return node.type?.getText().startsWith('ListKind<') ?? false;
  return false;
};

/** Returns the reads of a text that is a partition key, such as `GUEST#${userId}`. */
export const usesOfText = (node: ts.Node): readonly TableUse[] => {
  if (ts.isStringLiteralLike(node)) return usesOfKey(node.text);
  if (!ts.isTemplateExpression(node)) return [];
  return usesOfKey(node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join(''));
};

/** Returns the function that makes the partition of an event, which is that of its subject. */
export const subjectMaker = (node: ts.Node): ts.Identifier | undefined =>
  ts.isPropertyAssignment(node) &&
  node.name.getText() === 'subject' &&
  ts.isCallExpression(node.initializer) &&
  ts.isIdentifier(node.initializer.expression)
    ? node.initializer.expression
    : undefined;
