import { sourceFiles, sourceOf } from '../../support/sources.ts';
import { instrument, type Site } from './sites.ts';

/** Where mutants are looked for. */
const folders = ['shared'];

/** Returns every mutant of the product; a mutant's number is its place. */
export const findSites = (): Site[] => {
  const sites: Site[] = [];
  for (const file of sourceFiles(folders).sort())
    sites.push(...instrument(file, sourceOf(file), sites.length).sites);
  return sites;
};

/** Returns a function that instruments a source, given the ids of all mutants; undefined for a file without one. */
export const instrumenter = (ids: readonly string[]): ((file: string) => string | undefined) => {
  const first = new Map<string, number>();
  ids.forEach((id, number) => {
    const file = id.slice(0, id.indexOf(' '));
    if (!first.has(file)) first.set(file, number);
  });
  return (file) => {
    const number = first.get(file);
    return number === undefined ? undefined : instrument(file, sourceOf(file), number).code;
  };
};
