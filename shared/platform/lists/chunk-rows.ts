import { packColumns, unpackColumns } from './packed-columns.ts';
import type { ListPlanes, ListRow, Value } from './list-kind.ts';
import type { ListChunk, ListHead } from './list.entity.ts';

export type Legend = ListHead['legend'];

/** The plane of the ids. */
export const idPlane = 'ids';

/** Returns every plane of a kind, including the ids. */
export const planesOf = <Row extends ListRow>(kind: ListPlanes<Row>): string[] => [
  ...Object.keys(kind.planes),
  idPlane,
];

/** Returns the plane of a column. */
export const planeOf = <Row extends ListRow>(kind: ListPlanes<Row>, column: string): string =>
  Object.keys(kind.planes).find((plane) => column in (kind.planes[plane] ?? {})) ?? 'main';

const columnsOf = <Row extends ListRow>(
  kind: ListPlanes<Row>,
  plane: string,
): [name: string, kind: 'number' | 'choice' | 'text'][] =>
  plane === idPlane
    ? [['id', 'number']]
    : (Object.entries(kind.planes[plane] ?? {}) as [string, 'number' | 'choice' | 'text'][]);

const valueIn = (row: ListRow, column: string): Value =>
  (row as ListRow & Record<string, Value>)[column] ?? null;

/** Returns the values of the rows that the legend does not have yet. */
export const missingIn = <Row extends ListRow>(
  kind: ListPlanes<Row>,
  legend: Legend,
  rows: readonly Row[],
): Legend => {
  const choices = Object.keys(kind.planes)
    .flatMap((plane) => columnsOf(kind, plane))
    .filter(([, type]) => type === 'choice');
  const missing = choices.map(([name]): [string, Value[]] => {
    const known = new Set(legend[name]);
    const values = new Set(rows.map((row) => valueIn(row, name)));
    return [name, [...values].filter((value) => !known.has(value))];
  });
  return Object.fromEntries(missing.filter(([, values]) => values.length > 0));
};

/** Packs one plane of rows that are in the order of their ids. Ids are written as differences. */
export const packPlane = <Row extends ListRow>(
  kind: ListPlanes<Row>,
  plane: string,
  legend: Legend,
  rows: readonly Row[],
): Uint8Array => {
  if (plane === idPlane) {
    const steps = rows.map(({ id }, position) => id - (rows[position - 1]?.id ?? 0));
    // The first id is absolute and is packed apart from the differences.
    const columns = [steps.slice(0, 1), steps.slice(1)].map((values) =>
      packColumns([{ kind: 'number', values }]),
    );
    return Buffer.concat([Uint8Array.of(columns[0]?.length ?? 0), ...columns]);
  }
  const columns = columnsOf(kind, plane).map(([name, type]) => {
    const values = rows.map((row) => valueIn(row, name));
    if (type !== 'choice') return { kind: type, values };
    const numbers = new Map(legend[name]?.map((value, number) => [value, number]));
    return { kind: type, values: values.map((value) => numbers.get(value) ?? null) };
  });
  return packColumns(columns);
};

/** Unpacks a plane into columns with a value for every row. Returns undefined if the legend is older than the chunk. */
export const unpackPlane = <Row extends ListRow>(
  kind: ListPlanes<Row>,
  { plane, packed }: Pick<ListChunk, 'plane' | 'packed'>,
  legend: Legend,
): Record<string, Value[]> | undefined => {
  if (plane === idPlane) return { id: idsOf(packed) };
  const columns = columnsOf(kind, plane);
  const values = unpackColumns(
    packed,
    columns.map(([, type]) => type),
  );
  const named = columns.map(([name, type], position): [string, (Value | undefined)[]] => {
    const found = values[position] ?? [];
    return [name, type === 'choice' ? found.map((number) => legend[name]?.[Number(number)]) : found];
  });
  if (named.some(([, found]) => found.includes(undefined))) return undefined;
  return Object.fromEntries(named) as Record<string, Value[]>;
};

const idsOf = (packed: Uint8Array): number[] => {
  const firstLength = packed[0] ?? 0;
  const parts = [packed.subarray(1, 1 + firstLength), packed.subarray(1 + firstLength)];
  const steps = parts.flatMap((part) => unpackColumns(part, ['number'])[0] ?? []) as number[];
  let id = 0;
  return steps.map((step) => (id += step));
};
