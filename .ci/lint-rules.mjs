// Rules of `.oxlintrc.json` that oxlint does not have itself.

/** ESLint's rule of this name: what each selector matches is reported with its message. */
const noRestrictedSyntax = {
  meta: { schema: { type: 'array' } },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

const declared = [
  'VariableDeclarator > .id',
  ':function > .params',
  ':function > RestElement > .argument',
  'ObjectPattern > RestElement > .argument',
  'ObjectPattern > Property[shorthand=false] > .value',
  'ArrayPattern > .elements',
  'ArrayPattern > RestElement > .argument',
  ':not(Property[shorthand=true]) > AssignmentPattern > .left',
];

/** Variables and parameters are camelCase or PascalCase, unless destructured under their own name, or only underscores. */
const camelCase = {
  create: (context) => ({
    [`Identifier[name=/_[^_]|[^_]_/]:matches(${declared.join(', ')})`]: (node) =>
      context.report({ node, message: `Write \`${node.name}\` in camelCase or PascalCase.` }),
  }),
};

export default {
  meta: { name: 'nightlatch' },
  rules: { 'no-restricted-syntax': noRestrictedSyntax, 'camel-case': camelCase },
};
