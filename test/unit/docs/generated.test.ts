import { expect, it } from 'vitest';
import { derivedPages } from '../../../infra/docs/pages.ts';
import { textOf } from '../../support/docs.ts';

it.each(derivedPages())('$page is what `npm run generate` makes', ({ page, text }) => {
  expect(textOf(page)).toBe(text);
});

it('the README is read in one sitting', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(151);
});
