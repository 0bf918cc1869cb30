import { isWeaker } from './conflicts.ts';
import type { ReachingTest } from './coverage.ts';
import type { Site } from './sites.ts';

const wordsOf = (path: string): string[] => path.split(/[^a-z]+/).filter((word) => word.length > 3);

/** Tests of more than one writer, by their names. */
const contended =
  /at once|twice|meanwhile|while|again|already|race|between|another|same|conflict|lost|repeat|overtak/i;

/** Quick and narrow tests first, and those whose file is named like the source. */
export const ranked = (site: Site, tests: readonly ReachingTest[]): ReachingTest[] => {
  const words = new Set(wordsOf(site.file).filter((word) => word !== 'shared' && word !== 'domain'));
  const cost = ({ file, ms, breadth }: ReachingTest): number => {
    const isAkin = wordsOf(file).some((word) => words.has(word) || words.has(word.replace(/s$/, '')));
    return (ms + 20) * (breadth + 50) * (isAkin ? 0.2 : 1);
  };
  if (!isWeaker(site.id)) return tests.toSorted((one, other) => cost(one) - cost(other));
  const costOfConflict = (test: ReachingTest): number =>
    cost(test) * (contended.test(`${test.file} > ${test.name}`) ? 0.05 : 1);
  return tests
    .filter(({ hasConflict }) => hasConflict !== false)
    .toSorted((one, other) => costOfConflict(one) - costOfConflict(other));
};
