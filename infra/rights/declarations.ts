import { join } from 'node:path';
import ts from 'typescript';
import { functionSources, projectRoot } from '../bundling.ts';
import type { TableUse } from './partitions.ts';
import { subjectMaker, usesOfEntity, usesOfText } from './table-uses.ts';

/** A top-level declaration of the source: what it names, and what it does with the table itself. */
export interface Declaration {
  named: ReadonlySet<ts.Symbol>;
  uses: readonly TableUse[];
  /** The makers of the partitions of its events. */
  subjects: readonly ts.Symbol[];
}

/** The declarations of the functions and of what they import. */
export interface Source {
  declarations: ReadonlyMap<ts.Symbol, Declaration>;
  /** Returns the `handler` of a function. */
  handlerOf: (entry: string) => ts.Symbol;
}

const compile = (): ts.Program => {
  const path = join(projectRoot, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, projectRoot);
  const { incremental: _, tsBuildInfoFile: __, ...others } = options;
  const entries = functionSources().map(({ entry }) => join(projectRoot, entry));
  return ts.createProgram(entries, others);
};

/** Reads the source of every function. */
export const readSource = (): Source => {
  const program = compile();
  const checker = program.getTypeChecker();
  const declarations = new Map<ts.Symbol, Declaration>();
  for (const file of program.getSourceFiles()) {
    if (!isOwn(file)) continue;
    for (const { name, whole } of file.statements.flatMap(declaredBy)) {
      const symbol = checker.getSymbolAtLocation(name);
      if (symbol) declarations.set(symbol, read(whole, checker));
    }
  }
  return {
    declarations,
    handlerOf: (entry) => {
      const file = program.getSourceFile(join(projectRoot, entry));
      const module = file && checker.getSymbolAtLocation(file);
      const found = module && checker.getExportsOfModule(module).find(({ name }) => name === 'handler');
      if (!found) throw new Error(`${entry} exports no handler.`);
      return found;
    },
  };
};

const isOwn = ({ fileName }: ts.SourceFile): boolean =>
  ['shared/', 'functions/'].some((folder) => fileName.startsWith(join(projectRoot, folder)));

interface Declared {
  name: ts.Identifier;
  whole: ts.Node;
}

const declaredBy = (statement: ts.Statement): Declared[] => {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [{ name: statement.name, whole: statement }] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((whole) =>
    namesIn(whole.name).map((name) => ({ name, whole })),
  );
};

const namesIn = (name: ts.BindingName): ts.Identifier[] =>
  ts.isIdentifier(name)
    ? [name]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));

const read = (whole: ts.Node, checker: ts.TypeChecker): Declaration => {
  const named = new Set<ts.Symbol>();
  const uses: TableUse[] = [];
  const subjects: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    // Types are gone when the code runs.
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isIdentifier(node)) {
      const symbol = symbolOf(node, checker);
      if (symbol) named.add(symbol);
      const entity = symbol && entityOf(symbol.valueDeclaration);
      if (entity !== undefined) uses.push(...usesOfEntity(entity, node));
    }
    uses.push(...usesOfText(node));
    const maker = subjectMaker(node);
    const subject = maker && symbolOf(maker, checker);
    if (subject) subjects.push(subject);
    ts.forEachChild(node, visit);
  };
  // An entity only says where its items are.
  if (entityOf(whole) === undefined) visit(whole);
  return { named, uses, subjects };
};

/** Returns the name of the entity that a declaration defines. */
const entityOf = (declaration: ts.Node | undefined): string | undefined => {
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
  const made = declaration.initializer;
  if (!ts.isCallExpression(made) || made.expression.getText() !== 'defineEntity') return undefined;
  const name = /\bname: '(\w+)'/.exec(made.getText())?.[1];
  if (name === undefined) throw new Error(`An entity has its name as text: ${declaration.name.getText()}.`);
  return name;
};

/** Returns what an identifier names, where it is declared. */
const symbolOf = (identifier: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined => {
  const symbol = ts.isShorthandPropertyAssignment(identifier.parent)
    ? checker.getShorthandAssignmentValueSymbol(identifier.parent)
    : checker.getSymbolAtLocation(identifier);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
};
