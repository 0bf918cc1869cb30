import { IndexDraft } from '../../shared/domain/search/index-draft.ts';
import type { SearchDocument } from '../../shared/domain/search/search-document.ts';
import { SearchEntryEntity, SearchTermEntity } from '../../shared/domain/search/search.entity.ts';
import { cellOf } from '../../shared/domain/search/grid.ts';
import { put, readOf, type Table, type TableKey, type Write } from '../../shared/platform/table/index.ts';

type Item = Record<string, unknown>;
const nameOf = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;

/** A search index in memory: items as they are stored, and what a draft asks of a table. */
export const memoryIndex = (firstMonth = '2027-01') => {
  const items = new Map<string, Item>();
  const getAll = async (wanted: readonly { key: TableKey }[]) =>
    wanted.map(({ key }) => items.get(nameOf(key)));
  const getGroups = (groups: readonly (readonly { key: TableKey }[])[]) => Promise.all(groups.map(getAll));
  const table = { getAll, getGroups } as unknown as Table;
  const write = (writes: readonly Write[]) => {
    for (const one of writes) items.set(nameOf(one.key), one.render('table').Put!.Item!);
  };
  /** Writes the documents, which are alone in their cells, as the worker does. */
  const index = async (documents: readonly SearchDocument[]) => {
    const cells = documents.map(({ latitude, longitude }) =>
      cellOf({ latitude: latitude ?? 0, longitude: longitude ?? 0 }),
    );
    const reads = documents.map(({ id }) => readOf(SearchEntryEntity, { listing_id: id }));
    const entries = (await table.getAll(reads)).filter((entry) => entry !== undefined);
    const draft = await IndexDraft.read(table, { entries, cells, firstMonth });
    documents.forEach((document, at) => {
      const { id, calendar_id } = document;
      draft.place({ listing_id: id, calendar_id, cell: cells[at] ?? '', document });
    });
    await draft.load(table);
    const writes = draft.writes();
    write([...draft.newTerms().map((term) => put(SearchTermEntity, term)), ...writes]);
    return writes;
  };
  return { items, table, index };
};
