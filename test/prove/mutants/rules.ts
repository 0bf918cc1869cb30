import ts from 'typescript';
import { isOfOwnMaker } from './own-makers.ts';

/** What a mutant changes. */
export type Kind =
  /** A condition of a write holds always; an operand of `any` never. */
  | 'when'
  /** `create` overwrites. */
  | 'create'
  /** `atMost` and `atLeast` are off by one. */
  | 'limit'
  /** A move is refused from one of its states. */
  | 'move'
  /** An early return, or a guarded statement, is not reached. */
  | 'guard'
  /** In code about money `<` and `<=`, `>` and `>=` change places; `===` and `eq` are negated. */
  | 'money'
  /** The same elsewhere. */
  | 'comparison'
  /** An operand of `&&` or `||` has no effect. */
  | 'operand'
  /** The branches of a conditional expression change places. */
  | 'branch';

/** One mutation of an expression. */
export interface Mutation {
  kind: Kind;
  /** What becomes of the text, as the report prints it. */
  becomes: string;
  /** Returns the instrumented text; `on` is the expression that is true while the mutant is active. */
  code: (text: string, on: string) => string;
}

/** The kinds that the gate tries unless others are asked for: every mutant of them is killed or accepted. */
export const closedKinds: readonly Kind[] = ['when', 'create', 'limit', 'move', 'money'];

/** All kinds. */
export const kinds: readonly Kind[] = [...closedKinds, 'guard', 'comparison', 'operand', 'branch'];

/** Where a rule applies: conditions of writes everywhere, the others in code about states and money. */
const stateAndMoney =
  /^shared\/domain\/(booking|payment|checkout|calendar|folio|pricing)\/|^shared\/platform\/money\.ts$/;

/** Code that prices, charges and refunds. */
const aboutMoney =
  /^shared\/(domain\/(payment|pricing|folio|statement|booking\/(refund|terms|cancel|get-cancellation|get-folio|shown-postings|take-payment|correct-payment|post-charge|change-deposit|security-deposit)|checkout\/(pay-|plan-adjustment|change-money|refusals))|platform\/(payment\/|money\.ts))/;
const declarations = /\.(schema|events|entity|data)\.ts$/;
const isAboutStateOrMoney = (file: string): boolean => stateAndMoney.test(file) && !declarations.test(file);
const isAboutMoney = (file: string): boolean => aboutMoney.test(file) && !declarations.test(file);

/** The functions of the table layer that make a condition. */
const conditionMakers = new Set([
  'absent',
  'present',
  'lacks',
  'has',
  'equals',
  'isOneOf',
  'atMost',
  'atLeast',
]);

/** Names that a file imports from the table layer. */
export const tableNames = (source: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    source.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
      if (!/(table\/index|\/condition|\/write)\.ts$/.test(statement.moduleSpecifier.text)) return [];
      const bindings = statement.importClause?.namedBindings;
      return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
    }),
  );

const calleeOf = (node: ts.Node): string | undefined =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : undefined;

const always: Omit<Mutation, 'kind'> = {
  becomes: 'always',
  code: (text, on) => `(${on} ? __mutants.always : ${text})`,
};
const never: Omit<Mutation, 'kind'> = {
  becomes: 'never',
  code: (text, on) => `(${on} ? __mutants.never : ${text})`,
};
const no = (becomes: string): Omit<Mutation, 'kind'> => ({
  becomes,
  code: (text, on) => `(${on} ? false : (${text}))`,
});
const yes = (becomes: string): Omit<Mutation, 'kind'> => ({
  becomes,
  code: (text, on) => `(${on} ? true : (${text}))`,
});

/** Whether a condition is an operand of `any`, or negated: there it is dropped by never holding. */
const isDroppedByNever = (node: ts.Node): boolean => {
  const caller = calleeOf(node.parent);
  return (caller === 'any' || caller === 'not') && (node.parent as ts.CallExpression).expression !== node;
};

/** `change` itself requires that the item is present. */
const isOfChange = ({ parent }: ts.Node, known: ReadonlySet<string>): boolean =>
  known.has('change') &&
  ts.isPropertyAssignment(parent) &&
  parent.name.getText() === 'when' &&
  calleeOf(parent.parent.parent) === 'change';

/** `(isNew ? create : put)(…)` */
const isCreateAsValue = (node: ts.Node, known: ReadonlySet<string>): boolean =>
  ts.isIdentifier(node) &&
  node.text === 'create' &&
  known.has('create') &&
  ts.isConditionalExpression(node.parent);

const conditionRules = (node: ts.Node, known: ReadonlySet<string>): Mutation[] => {
  const callee = calleeOf(node);
  const isCondition = callee !== undefined && known.has(callee) && conditionMakers.has(callee);
  if (isCondition && callee === 'present' && isOfChange(node, known)) return [];
  if (isCondition) return [{ kind: 'when', ...(isDroppedByNever(node) ? never : always) }];
  if (callee === 'create' && known.has('create'))
    return [
      {
        kind: 'create',
        becomes: 'overwrites',
        code: (text, on) => `__mutants.unconditional(${on}, ${text})`,
      },
    ];
  if (isCreateAsValue(node, known))
    return [
      {
        kind: 'create',
        becomes: 'overwrites',
        code: (text, on) => `__mutants.creator(() => ${on}, ${text})`,
      },
    ];
  if (isOfOwnMaker(node)) return [{ kind: 'when', ...always }];
  return [...guardOfWrite(node, known), ...operandOfCondition(node, known), ...limitOf(node, known)];
};

const isMaker = (node: ts.Node, known: ReadonlySet<string>): boolean => {
  const callee = calleeOf(node);
  return callee !== undefined && known.has(callee) && (conditionMakers.has(callee) || callee === 'not');
};

/** `when: someCondition`: a name, a call of a function of one's own, or several conditions. */
const guardOfWrite = (node: ts.Node, known: ReadonlySet<string>): Mutation[] => {
  if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'when')
    return [
      { kind: 'when', becomes: 'always', code: (text, on) => `when: (${on} ? __mutants.always : ${text})` },
    ];
  const { parent } = node;
  if (!ts.isPropertyAssignment(parent) || parent.initializer !== node) return [];
  if (!ts.isIdentifier(parent.name) || parent.name.text !== 'when') return [];
  if (isMaker(node, known) || ts.isConditionalExpression(node)) return [];
  return ts.isObjectLiteralExpression(node) || ts.isArrowFunction(node) ? [] : [{ kind: 'when', ...always }];
};

/** Operands of `all` and `any` that are not conditions of the table layer themselves. */
const operandOfCondition = (node: ts.Node, known: ReadonlySet<string>): Mutation[] => {
  const { parent } = node;
  const caller = calleeOf(parent);
  if (
    (caller !== 'all' && caller !== 'any') ||
    !known.has(caller) ||
    node === (parent as ts.CallExpression).expression
  )
    return [];
  if (isMaker(node, known) || calleeOf(node) === 'all' || calleeOf(node) === 'any') return [];
  if (ts.isSpreadElement(node))
    return [
      {
        kind: 'when',
        becomes: caller === 'all' ? 'always' : 'never',
        code: (text, on) => `...(${on} ? [__mutants.${caller === 'all' ? 'always' : 'never'}] : ${text})`,
      },
    ];
  return ts.isConditionalExpression(node) ? [] : [{ kind: 'when', ...(caller === 'all' ? always : never) }];
};

/** The second argument of `atMost` and `atLeast`, which is a time or a number. */
const limitOf = (node: ts.Node, known: ReadonlySet<string>): Mutation[] => {
  const { parent } = node;
  const caller = calleeOf(parent);
  if ((caller !== 'atMost' && caller !== 'atLeast') || !known.has(caller)) return [];
  if ((parent as ts.CallExpression).arguments[1] !== node) return [];
  const step = caller === 'atMost' ? -1 : 1;
  return [
    {
      kind: 'limit',
      becomes: step < 0 ? '- 1' : '+ 1',
      code: (text, on) => `__mutants.moved(${on}, ${text}, ${step})`,
    },
  ];
};

/** Each state in `from` of `{ from: [...], to: ... }`. */
const moveRules = (node: ts.Node): Mutation[] => {
  if (!ts.isStringLiteral(node) || !ts.isArrayLiteralExpression(node.parent)) return [];
  const property = node.parent.parent;
  if (!isFromOfMove(property)) return [];
  return [{ kind: 'move', becomes: 'removed', code: (text, on) => `...(${on} ? [] : [${text}])` }];
};

/** Whether a property is `from` of a move; it is instrumented as a getter, because tables of moves are made once. */
export const isFromOfMove = (node: ts.Node): node is ts.PropertyAssignment =>
  ts.isPropertyAssignment(node) &&
  node.name.getText() === 'from' &&
  ts.isArrayLiteralExpression(node.initializer) &&
  node.parent.properties.some((other) => other.name?.getText() === 'to');

const turned: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
};

const turnedMethods: Record<string, string> = { lt: 'lte', lte: 'lt', gt: 'gte', gte: 'gt' };

/** A comparison with undefined or null asks whether there is a value, and `typeof` what it is. */
const isOfPresence = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some(
    (side) =>
      side.kind === ts.SyntaxKind.NullKeyword ||
      ts.isTypeOfExpression(side) ||
      (ts.isIdentifier(side) && side.text === 'undefined'),
  );

/** `paid.eq(due)` */
const isOfEqualAmounts = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'eq';

const comparisonRules = (node: ts.Node, file: string): Mutation[] => {
  const kind = isAboutMoney(file) ? 'money' : 'comparison';
  if (ts.isBinaryExpression(node)) {
    const operator = turned[node.operatorToken.kind];
    if (operator === undefined || isOfPresence(node)) return [];
    const before = node.operatorToken.getText();
    return [
      {
        kind,
        becomes: operator,
        code: (text, on) => `__mutants.compare(${on}, '${before}', '${operator}', ${text})`,
      },
    ];
  }
  if (isOfEqualAmounts(node))
    return [{ kind, becomes: 'negated', code: (text, on) => `(${on} !== (${text}))` }];
  if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(node.parent)) return [];
  if (node.parent.expression !== node || !Object.hasOwn(turnedMethods, node.name.text)) return [];
  const before = node.name.text;
  const method = turnedMethods[before] ?? before;
  return [
    {
      kind,
      becomes: method,
      code: (text, on) => `${text.slice(0, text.lastIndexOf('.'))}[${on} ? '${method}' : '${before}']`,
    },
  ];
};

const operandRules = (node: ts.Node): Mutation[] => {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || parent.operatorToken === node) return [];
  if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return [{ kind: 'operand', ...yes('dropped from &&') }];
  if (parent.operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return [{ kind: 'operand', ...no('dropped from ||') }];
  return [];
};

const guardRules = (node: ts.Node): Mutation[] => {
  const { parent } = node;
  if (ts.isIfStatement(parent) && parent.expression === node) return [{ kind: 'guard', ...no('never') }];
  if (!ts.isConditionalExpression(parent) || parent.condition !== node) return [];
  // Turned as a comparison already.
  if (ts.isBinaryExpression(node) && turned[node.operatorToken.kind] !== undefined && !isOfPresence(node))
    return [];
  return [{ kind: 'branch', becomes: 'negated', code: (text, on) => `(${on} ? !(${text}) : (${text}))` }];
};

/** Whether a mutation turns a comparison. */
export const isComparison = ({ kind }: Mutation): boolean => kind === 'money' || kind === 'comparison';

/** Returns the mutations of a node. */
export const mutationsOf = (node: ts.Node, file: string, known: ReadonlySet<string>): Mutation[] => [
  ...conditionRules(node, known),
  ...moveRules(node),
  ...(isAboutStateOrMoney(file) || isAboutMoney(file) ? comparisonRules(node, file) : []),
  ...(isAboutStateOrMoney(file) ? [...operandRules(node), ...guardRules(node)] : []),
];
