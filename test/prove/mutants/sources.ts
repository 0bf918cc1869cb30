import { sourceFiles, sourceOf } from '../../support/sources.ts';
import { closedKinds, kinds } from './rules.ts';
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

/** Whether a mutant is of the kinds that are named, or of the closed ones if none is, or its id holds the text. */
export const isChosen = (only: string | undefined): ((site: Pick<Site, 'id' | 'kind'>) => boolean) => {
  const named = only?.split(',') ?? closedKinds;
  const isOfKinds = named.every((name) => (kinds as readonly string[]).includes(name));
  return ({ id, kind }) => (isOfKinds ? named.includes(kind) : id.includes(only ?? ''));
};
