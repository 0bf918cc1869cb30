import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');
const inProduct = (node: ts.Node): boolean =>
  /^(shared|functions)\//.test(node.getSourceFile().fileName.slice(root.length + 1));

/** Ports whose implementation is chosen at run time, with the file of the deployed one. */
const ports: Record<string, string> = { IdentityProvider: 'shared/platform/identity/auth0.ts' };

/** A reference to a function, with the error codes that a `catch` around it compares. */
interface Reference {
  to: ts.Node;
  caught: ReadonlySet<string>;
}

/** The error codes in the source of one function, and the functions that it refers to. */
interface Source {
  codes: Map<string, string>;
  references: Reference[];
}

const none: ReadonlySet<string> = new Set();
/** A `catch` that handles every ServiceError. */
const everyCode = '*';

const isCaught = (caught: ReadonlySet<string>, code: string): boolean =>
  caught.has(code) || caught.has(everyCode);

/**
 * The error codes that a verb can throw, as far as its source says: the literal types of `new ServiceError(code)` in it and in
 * every function that it refers to, without those that a `catch` around the reference compares.
 */
export class ThrownCodes {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #sources = new Map<ts.Node, Source>();

  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: unknown;
    };
    const { tsBuildInfoFile: _, ...options } = ts.parseJsonConfigFileContent(config, ts.sys, root).options;
    this.#program = ts.createProgram(
      files.map((file) => join(root, file)),
      { ...options, incremental: false },
    );
    this.#checker = this.#program.getTypeChecker();
  }

  /** The verbs of a group's `index.ts` by operation: the property that has its name. */
  verbsIn(file: string, operations: readonly string[]): Map<string, ts.Node> {
    const wanted = new Set(operations);
    const verbs = new Map<string, ts.Node>();
    const walk = (node: ts.Node): void => {
      if (ts.isObjectLiteralElementLike(node) && node.name && wanted.has(node.name.getText()))
        verbs.set(node.name.getText(), node);
      ts.forEachChild(node, walk);
    };
    const source = this.#program.getSourceFile(join(root, file));
    if (!source) throw new Error(`${file} is not compiled`);
    walk(source);
    return verbs;
  }

  /** The codes that are thrown from a node on, each with a file where. */
  from(start: ts.Node): Map<string, string> {
    const codes = new Map<string, string>();
    const seen = new Set<string>();
    const todo: Reference[] = [{ to: start, caught: none }];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { to, caught } = next;
      const key = `${to.getSourceFile().fileName}:${to.pos} ${[...caught].sort().join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const source = this.#sourceOf(to);
      for (const [code, file] of source.codes) if (!isCaught(caught, code)) codes.set(code, file);
      for (const reference of source.references)
        todo.push({ to: reference.to, caught: new Set([...caught, ...reference.caught]) });
    }
    return codes;
  }

  #sourceOf(node: ts.Node): Source {
    const known = this.#sources.get(node);
    if (known) return known;
    const source: Source = { codes: new Map(), references: [] };
    this.#sources.set(node, source);
    const walk = (part: ts.Node, caught: ReadonlySet<string>): void => {
      if (ts.isTypeNode(part) || ts.isImportDeclaration(part)) return;
      if (ts.isTryStatement(part) && part.catchClause) {
        walk(part.tryBlock, new Set([...caught, ...comparedCodes(part.catchClause)]));
        walk(part.catchClause, caught);
        if (part.finallyBlock) walk(part.finallyBlock, caught);
        return;
      }
      for (const [code, file] of this.#codesOf(part))
        if (!isCaught(caught, code)) source.codes.set(code, file);
      for (const to of this.#functionsOf(part)) if (to !== node) source.references.push({ to, caught });
      ts.forEachChild(part, (child) => walk(child, caught));
    };
    ts.forEachChild(node, (child) => walk(child, none));
    return source;
  }

  #codesOf(node: ts.Node): [string, string][] {
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'ServiceError') return [];
    const [argument] = node.arguments ?? [];
    if (!argument) return [];
    const type = this.#checker.getTypeAtLocation(argument);
    const file = node.getSourceFile().fileName.slice(root.length + 1);
    const types = type.isUnion() ? type.types : [type];
    // A code that may be any of many is only passed on.
    if (types.length > 12) return [];
    return types.flatMap((one) => (one.isStringLiteral() ? [[one.value, file] as [string, string]] : []));
  }

  /** The functions of the product that an identifier refers to, by name or through a port. */
  #functionsOf(node: ts.Node): ts.Node[] {
    if (!ts.isIdentifier(node)) return [];
    return this.#declarationsOf(node).flatMap((declaration): ts.Node[] => {
      if (ts.isMethodSignature(declaration)) return this.#behindPort(declaration);
      if (ts.isClassDeclaration(declaration))
        return ts.isNewExpression(node.parent) ? declaration.members.filter(ts.isConstructorDeclaration) : [];
      const isFunction =
        ts.isFunctionLike(declaration) ||
        ts.isPropertyAssignment(declaration) ||
        (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined);
      return isFunction ? [declaration] : [];
    });
  }

  #declarationsOf(node: ts.Identifier): ts.Node[] {
    const resolved = (symbol: ts.Symbol): ts.Symbol =>
      symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    let symbol = this.#checker.getSymbolAtLocation(node);
    if (!symbol) return [];
    if (ts.isShorthandPropertyAssignment(node.parent))
      symbol = this.#checker.getShorthandAssignmentValueSymbol(node.parent) ?? symbol;
    return (resolved(symbol).declarations ?? []).filter(inProduct);
  }

  /** The methods of the object that the port's factory returns. */
  #behindPort(method: ts.MethodSignature): ts.Node[] {
    const port = ts.isInterfaceDeclaration(method.parent) ? ports[method.parent.name.text] : undefined;
    if (port === undefined) return [];
    const source = this.#program.getSourceFile(join(root, port));
    if (!source) throw new Error(`${port} is not compiled`);
    const found: ts.Node[] = [];
    const walk = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === method.name.getText()) found.push(node);
      ts.forEachChild(node, walk);
    };
    walk(source);
    return found;
  }
}

/** The codes that a `catch` compares the error's with: `error.code === '…'`. */
const comparedCodes = (clause: ts.CatchClause): string[] => {
  const codes: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && /\.code$/.test(node.left.getText()) && ts.isStringLiteral(node.right))
      codes.push(node.right.text);
    ts.forEachChild(node, walk);
  };
  walk(clause);
  const handlesAll = clause.getText().includes('if (!(error instanceof ServiceError)) throw error;');
  return codes.length === 0 && handlesAll ? [everyCode] : codes;
};
