/** The import rules; docs/how-it-works.md, "The map of the code", describes the layout. */
const sharedDeclarations =
  '^(functions/routes\\.ts|functions/[^/]+/routes\\.ts|functions/(workers|schedules)/[^/]+/env\\.ts|shared/(entities|subscriptions|schedules)\\.ts|shared/platform/)';
/** The model files of a noun: model.ts and the files that it exports, words among them. */
const model =
  '^shared/domain/[^/]+/(model|words/[^/]+|[^/]+\\.(schema|entity|store|rules|data|events))\\.ts$';
module.exports = {
  forbidden: [
    {
      name: 'no-circular-imports',
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
    {
      name: 'no-imports-from-tests',
      severity: 'error',
      from: { pathNot: '^(test/|vitest\\.config)' },
      to: { path: '^test/' },
    },
    {
      name: 'platform-imports-platform-only',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^(shared/(?!platform/)|functions/|infra/|bin/)' },
    },
    {
      name: 'domain-not-to-wiring',
      comment:
        'The domain reads no environment and makes no client or handler: functions do, with shared/consume.ts, shared/deliver-webhooks.ts and platform/environment.',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: {
        path: [
          '^shared/platform/environment/',
          '^shared/platform/(events/handle-messages|mail/ses-mailer|table/client)\\.ts$',
          '^shared/(consume|deliver-webhooks)\\.ts$',
          '^node_modules/(@aws-sdk|@middy)/',
        ],
      },
    },
    {
      name: 'shared-not-to-functions',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions/|infra/|bin/)' },
    },
    {
      name: 'functions-not-to-infra',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(infra/|bin/)' },
    },
    {
      name: 'functions-not-to-other-functions',
      severity: 'error',
      from: { path: '^functions/((?:workers|schedules)/[^/]+|[^/]+)/' },
      to: {
        path: '^functions/',
        pathNot: ['^functions/$1/', '^functions/routes\\.ts$', '^functions/[^/]+/routes\\.ts$'],
      },
    },
    {
      name: 'nouns-import-index-or-model',
      comment:
        'Other nouns are imported through model.ts (data and pure rules) or index.ts (verbs) only; schemas import schemas.',
      severity: 'error',
      from: { path: '^shared/domain/([^/]+)/', pathNot: '\\.schema\\.ts$' },
      to: {
        path: '^shared/domain/([^/]+)/',
        pathNot: ['^shared/domain/$1/', '^shared/domain/[^/]+/(index|model)\\.ts$'],
      },
    },
    {
      name: 'models-import-models-only',
      comment: 'Schemas, entities, stores and pure rules import no verb, so any verb may import any model.',
      severity: 'error',
      from: { path: model },
      to: { path: '^shared/domain/', pathNot: model },
    },
    {
      name: 'schemas-import-schemas-only',
      comment: 'The OpenAPI document and the stacks must load no store and no SDK client.',
      severity: 'error',
      from: { path: '^shared/domain/.+\\.schema\\.ts$' },
      to: { path: '^shared/domain/', pathNot: '\\.(schema|events|rules|data)\\.ts$' },
    },
    {
      name: 'functions-import-index-or-model',
      comment: 'Declarations of routes read schemas directly; see schemas-import-schemas-only.',
      severity: 'error',
      from: { path: '^functions/' },
      to: {
        path: '^shared/domain/',
        pathNot: '^shared/domain/[^/]+/(index|model|[^/]+\\.(schema|events))\\.ts$',
      },
    },
    {
      name: 'routes-not-to-verbs-or-sdk',
      comment: 'Route declarations never import verbs or SDK clients.',
      severity: 'error',
      from: { path: ['^functions/routes\\.ts$', '^functions/[^/]+/routes\\.ts$'] },
      to: {
        path: '^(shared/domain/|node_modules/@aws-sdk)',
        pathNot: '^shared/domain/[^/]+/[^/]+\\.schema\\.ts$',
      },
    },
    {
      name: 'cloud-imports-declarations-only',
      severity: 'error',
      from: { path: '^infra/cloud/' },
      to: {
        path: '^(functions/|shared/)',
        pathNot: [sharedDeclarations, '^shared/domain/[^/]+/model\\.ts$'],
      },
    },
    {
      name: 'cloud-not-to-local',
      severity: 'error',
      from: { path: '^infra/cloud/' },
      to: { path: '^infra/local/' },
    },
    {
      name: 'client-imports-client-only',
      comment: 'It is installed without this repository, and its library runs in browsers.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(bin|functions|infra|shared|node_modules)/' },
    },
    {
      name: 'board-imports-client-only',
      comment: 'It runs in a browser over the public API, as an app of anybody else would.',
      severity: 'error',
      from: { path: '^board/' },
      to: { path: '^(bin|functions|infra|shared|test|client/(src|command))/' },
    },
    {
      name: 'product-not-to-board',
      comment: 'infra/board bundles it.',
      severity: 'error',
      from: { path: '^(bin|functions|infra|shared|client)/' },
      to: { path: '^board/' },
    },
    {
      name: 'client-library-not-to-node',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'product-not-to-client',
      comment: 'infra/client bundles it; nothing calls its own API.',
      severity: 'error',
      from: { path: '^(bin|functions|infra|shared)/' },
      to: { path: '^client/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '^test/',
          '^client/dist/',
          '\\.d\\.ts$',
          '^bin/',
          '^board/src/(main\\.tsx|worker\\.ts|stay/(main|embed)\\.tsx)$',
          '^functions/.+/index\\.ts$',
          '^infra/docs/site/assets/',
          '^shared/platform/sdk/',
        ],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
};
