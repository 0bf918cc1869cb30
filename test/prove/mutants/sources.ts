import { sourceFiles, sourceOf } from '../../support/sources.ts';
import { instrument, type Site } from './sites.ts';

/** Where mutants are looked for. */
const folder = 'shared';

/** Returns every mutant of the product. */
export const findSites = (): Site[] =>
  sourceFiles([folder])
    .sort()
    .flatMap((file) => instrument(file, sourceOf(file)).sites);

/** Returns the instrumented code of a source; undefined for a file without a mutant. */
export const instrumented = (file: string): string | undefined => {
  if (!file.startsWith(`${folder}/`) || !file.endsWith('.ts')) return undefined;
  const { sites, code } = instrument(file, sourceOf(file));
  return sites.length === 0 ? undefined : code;
};
