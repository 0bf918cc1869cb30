/** Who may import whom; the reasons stand in docs/how-it-works.md under "The map of the code". */
const sharedDeclarations =
  '^(functions/routes\\.ts|functions/[^/]+/routes\\.ts|functions/(workers|schedules)/[^/]+/env\\.ts|shared/(entities|events|subscriptions|schedules)\\.ts|shared/platform/)';
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      name: 'a-noun-has-one-door',
      comment:
        'Another noun is entered through its index.ts, or, for declarations, through its schema file <noun>.ts.',
      severity: 'error',
      from: { path: '^shared/domain/([^/]+)/' },
      to: {
        path: '^shared/domain/([^/]+)/',
        pathNot: ['^shared/domain/$1/', '^shared/domain/([^/]+)/(index|[^/]+\\.schema)\\.ts$'],
      },
    },
    {
      name: 'functions-use-the-door',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^shared/domain/', pathNot: '^shared/domain/[^/]+/(index|[^/]+\\.schema)\\.ts$' },
    },
    {
      name: 'declarations-stay-light',
      comment: 'Route and entity declarations never import stores, verbs or SDK clients.',
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
        pathNot: [sharedDeclarations, '^shared/domain/[^/]+/[^/]+\\.(schema|entity)\\.ts$'],
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
