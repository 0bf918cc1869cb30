import { expect, it } from 'vitest';
import { pages, proseOf } from '../../support/docs.ts';

/** Words of a dialect that the docs had, each with a plain one: see the glossary. */
const dialect =
  /\b(whoever|somebody|anybody|begun|(is|are|was|were) told|for good|on its way|lost race|looks? after|gives? back|given back)\b/i;

it.each(pages)('%s is written in standard words', (page) => {
  expect(
    proseOf(page)
      .split('\n')
      .filter((line) => dialect.test(line)),
  ).toEqual([]);
});
