import type { Act } from './act.ts';
import type { Ledger } from './ledger.ts';

/** How a request ended. */
export type Result = 'done' | 'refused' | 'crashed';

export const distinct = (ledgers: readonly Ledger[]): Ledger[] => [
  ...new Map(ledgers.map((ledger) => [JSON.stringify(ledger), ledger])).values(),
];

/** A request that goes on in one of the ways that it may take. */
interface Way {
  ledger: Ledger;
  refused: readonly boolean[];
}

/** Takes one transaction of a request further. */
const taken = (way: Way, pair: readonly Act[], which: number, place: number): Way[] => {
  const act = pair[which];
  const effect = act?.effects[place];
  if (way.refused[which] || !effect) return [way];
  const ledger = structuredClone(way.ledger);
  const said = effect(ledger);
  const refused = way.refused.with(which, said === 'declined' || (said === false && place === 0));
  if (said === false) return [{ ledger: way.ledger, refused }];
  return place >= (act.optionalFrom ?? Infinity) ? [{ ledger, refused }, way] : [{ ledger, refused }];
};

const distinctWays = (ways: readonly Way[]): Way[] => [
  ...new Map(ways.map((way) => [JSON.stringify(way), way])).values(),
];

/** The same, with its first transactions in each order. */
const inAnyOrder = (act: Act): Act[] => {
  const { effects, anyOrder = 0 } = act;
  const rest = effects.slice(anyOrder);
  return permuted(effects.slice(0, anyOrder)).map((first) => ({ ...act, effects: [...first, ...rest] }));
};

const permuted = <Value>(values: readonly Value[]): Value[][] =>
  values.length < 2
    ? [[...values]]
    : values.flatMap((value, at) => permuted(values.toSpliced(at, 1)).map((rest) => [value, ...rest]));

/** The ledgers after a request that ended so; none: it cannot end so. */
export const outcomes = (act: Act, before: Ledger, result: Result): Ledger[] =>
  distinct(inAnyOrder(act).flatMap((one) => outcomesOf(one, before, result)));

const outcomesOf = (act: Act, before: Ledger, result: Result): Ledger[] => {
  let ways: Way[] = [{ ledger: before, refused: [false] }];
  const seen = [...ways];
  for (const place of act.effects.keys()) {
    ways = distinctWays(ways.flatMap((way) => taken(way, [act], 0, place)));
    seen.push(...ways);
  }
  if (result === 'crashed') return distinct(seen.map(({ ledger }) => ledger));
  return distinct(
    ways.filter(({ refused }) => refused[0] === (result === 'refused')).map(({ ledger }) => ledger),
  );
};

/** All orders of two requests' transactions: 0: the first one's turn. */
const interleaved = (one: number, other: number): number[][] => {
  if (one === 0) return [Array.from({ length: other }, () => 1)];
  if (other === 0) return [Array.from({ length: one }, () => 0)];
  return [
    ...interleaved(one - 1, other).map((rest) => [0, ...rest]),
    ...interleaved(one, other - 1).map((rest) => [1, ...rest]),
  ];
};

/** The ledgers after two requests at once that ended so: as if one had come after the other, transaction by transaction. */
export const merged = (
  before: Ledger,
  [one, other]: readonly [Act, Act],
  results: readonly Result[],
): Ledger[] =>
  distinct(
    inAnyOrder(one).flatMap((first) =>
      inAnyOrder(other).flatMap((second) => mergedOf(before, [first, second], results)),
    ),
  );

const mergedOf = (before: Ledger, pair: readonly [Act, Act], results: readonly Result[]): Ledger[] => {
  const all = interleaved(pair[0].effects.length, pair[1].effects.length).flatMap((order) => {
    let ways: Way[] = [{ ledger: before, refused: [false, false] }];
    const places = [0, 0];
    for (const which of order) {
      const place = places[which] ?? 0;
      places[which] = place + 1;
      ways = ways.flatMap((way) => taken(way, pair, which, place));
    }
    return ways;
  });
  return distinct(
    all
      .filter(({ refused }) => results.every((result, at) => (result === 'refused') === refused[at]))
      .map(({ ledger }) => ledger),
  );
};
