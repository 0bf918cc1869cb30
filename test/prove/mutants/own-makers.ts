import ts from 'typescript';

/** Whether a statement declares `const name = (…): Condition => …`. */
const declaresMaker = (statement: ts.Statement, name: string): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.some(
    (declared) =>
      declared.name.getText() === name &&
      declared.initializer !== undefined &&
      ts.isArrowFunction(declared.initializer) &&
      declared.initializer.type?.getText() === 'Condition',
  );

/** Where a call is a mutant already: `when: mine(item)`, and as an operand. */
const isMutantOtherwise = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAssignment(parent) ||
  (ts.isCallExpression(parent) && /^(all|any|not)$/.test(parent.expression.getText()));

/** Whether a node calls a function of its file that returns a condition: `days.map((day) => same(day))`. */
export const isOfOwnMaker = (node: ts.Node): boolean => {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || isMutantOtherwise(node))
    return false;
  const { text } = node.expression;
  return node.getSourceFile().statements.some((statement) => declaresMaker(statement, text));
};
