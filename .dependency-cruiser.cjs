/** Who may import whom; the reasons stand in the README under "The map of the house". */
const sharedDeclarations =
  '^(functions/routes\\.ts|functions/[^/]+/routes\\.ts|functions/(workers|schedules)/[^/]+/env\\.ts|shared/(entities|subscriptions|schedules)\\.ts|shared/platform/)';
/** The model side of a noun: what its model.ts lets out, and what it is made of. */
const model = '^shared/domain/[^/]+/(model|[^/]+\\.(schema|entity|store|rules|data|events))\\.ts$';
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circles-of-types',
      comment: 'Only emit is typed by the table of events, which is made from the models that emit.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^shared/events\\.ts$' } },
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'platform-is-the-floor',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^(shared/(?!platform/)|functions/|infra/|bin/)' },
    },
    {
      name: 'shared-knows-no-function',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions/|infra/|bin/)' },
    },
    {
      name: 'functions-know-only-shared',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(infra/|bin/)' },
    },
    {
      name: 'groups-are-strangers',
      severity: 'error',
      from: { path: '^functions/((?:workers|schedules)/[^/]+|[^/]+)/' },
      to: {
        path: '^functions/',
        pathNot: ['^functions/$1/', '^functions/routes\\.ts$', '^functions/[^/]+/routes\\.ts$'],
      },
    },
    {
      name: 'a-noun-has-two-doors',
      comment:
        'Another noun is entered through its model.ts (data and pure rules) or its index.ts (verbs); a schema reads schemas alone.',
      severity: 'error',
      from: { path: '^shared/domain/([^/]+)/', pathNot: '\\.schema\\.ts$' },
      to: {
        path: '^shared/domain/([^/]+)/',
        pathNot: ['^shared/domain/$1/', '^shared/domain/[^/]+/(index|model)\\.ts$'],
      },
    },
    {
      name: 'models-know-models',
      comment: 'Schemas, entities, stores and pure rules import no verb, so any verb may import any model.',
      severity: 'error',
      from: { path: model },
      to: { path: '^shared/domain/', pathNot: model },
    },
    {
      name: 'schemas-read-schemas',
      comment: 'So the OpenAPI document and the stacks load no store and no SDK client.',
      severity: 'error',
      from: { path: '^shared/domain/.+\\.schema\\.ts$' },
      to: { path: '^shared/domain/', pathNot: '\\.(schema|events|rules|data)\\.ts$' },
    },
    {
      name: 'functions-use-the-doors',
      comment: 'Declarations of routes read schemas directly; see schemas-read-schemas.',
      severity: 'error',
      from: { path: '^functions/' },
      to: {
        path: '^shared/domain/',
        pathNot: '^shared/domain/[^/]+/(index|model|[^/]+\\.(schema|events))\\.ts$',
      },
    },
    {
      name: 'declarations-stay-light',
      comment: 'Route declarations never import verbs or SDK clients.',
      severity: 'error',
      from: { path: ['^functions/routes\\.ts$', '^functions/[^/]+/routes\\.ts$'] },
      to: {
        path: '^(shared/domain/|node_modules/@aws-sdk)',
        pathNot: '^shared/domain/[^/]+/[^/]+\\.schema\\.ts$',
      },
    },
    {
      name: 'the-cloud-reads-declarations',
      severity: 'error',
      from: { path: '^infra/cloud/' },
      to: {
        path: '^(functions/|shared/)',
        pathNot: [sharedDeclarations, '^shared/domain/[^/]+/model\\.ts$'],
      },
    },
    {
      name: 'cloud-and-laptop-are-apart',
      severity: 'error',
      from: { path: '^infra/cloud/' },
      to: { path: '^infra/local/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['^test/', '\\.d\\.ts$', '^bin/', '^functions/.+/index\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
