import { expect, it } from 'vitest';
import { sourceFiles, sourceOf } from '../support/sources.ts';

/** The casts from one type to an unrelated one, each with what the compiler cannot see. */
const reasons: Readonly<Record<string, string>> = {
  'infra/local/identity/oauth-routes.ts':
    'a stream with the few properties of a request that oidc-provider reads',
  'infra/local/queues/fauxqs-store.ts': 'fauxqs does not export the class whose private fields are used',
  'infra/local/start.ts': 'a bundle is loaded by its name',
  'infra/operator/entity-by-name.ts': 'one type for all entities, each of which has fields of its own',
  'shared/domain/webhook/webhook.schema.ts':
    'no union of more than 25 members is compared with the general type',
  'shared/platform/http/serve.ts': 'the names of entries no longer show which row a verb was checked against',
};

const casts = /\bas\s+(?:unknown\s+as|any\b)|@ts-(?:ignore|expect-error|nocheck)/g;

it('has a cast to an unrelated type only where there is a reason', () => {
  const found = sourceFiles(['bin', 'client/src', 'client/command', 'functions', 'infra', 'shared']).flatMap(
    (file) => [...sourceOf(file).matchAll(casts)].map(() => file),
  );
  expect(found.toSorted()).toEqual(Object.keys(reasons));
});
