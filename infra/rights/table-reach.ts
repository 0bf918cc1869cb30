import type ts from 'typescript';
import { functionSources } from '../bundling.ts';
import type { TableRights } from '../cloud/table-rights.ts';
import { type Declaration, readSource, type Source } from './declarations.ts';
import { type Access, widest } from './partitions.ts';

/**
 * Returns what each function can do with the table: what is done by the declarations that its handler reaches by name, however
 * rarely they run. So it is never less than what a run needs.
 */
export const tableReach = (): Record<string, TableRights> => {
  const source = readSource();
  return Object.fromEntries(
    functionSources().map(({ name, entry }) => [
      name,
      rightsOf(reachedFrom(source.handlerOf(entry), source), source),
    ]),
  );
};

const reachedFrom = (handler: ts.Symbol, { declarations }: Source): Declaration[] => {
  const seen = new Set([handler]);
  // A set visits what is added meanwhile.
  for (const symbol of seen) for (const named of declarations.get(symbol)?.named ?? []) seen.add(named);
  return [...seen].flatMap((symbol) => declarations.get(symbol) ?? []);
};

const rightsOf = (reached: readonly Declaration[], { declarations }: Source): TableRights => {
  const uses = reached.flatMap((one) => one.uses);
  const subjects = reached
    .flatMap((one) => one.subjects)
    .flatMap((maker) => declarations.get(maker)?.uses.map(({ partition }) => partition) ?? []);
  const partitions = (access: Access) =>
    uses.filter((use) => use.access === access).map(({ partition }) => partition);
  return {
    reads: widest(partitions('reads')),
    writes: widest([...partitions('writes'), ...subjects]),
    by_team: widest(partitions('by_team')),
    by_audience: widest(partitions('by_audience')),
  };
};
