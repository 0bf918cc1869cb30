import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withSections } from '../../infra/readme/sections.ts';

it('the README says what the route, entity and subscription tables say (npm run generate)', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(text).toBe(withSections(text));
});
