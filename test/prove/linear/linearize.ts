/** A request as its client saw it; without an answer it ends at Infinity, and may or may not have taken effect. */
export interface Call<Asked> {
  name: string;
  begin: number;
  end: number;
  asked: Asked;
}

/** What requests do when they come one after another. */
export interface Specification<State, Asked> {
  initial: State;
  /** The state after a request with the answer that it got; undefined if it cannot get that answer in this state. */
  after: (state: State, asked: Asked) => State | undefined;
  /** The same text for equal states. */
  key: (state: State) => string;
}

type Verdict<Asked> =
  | { is: 'linearizable' }
  /** No order explains this answer; the longest order that was found has `placed` before it. */
  | { is: 'not linearizable'; stuck: Call<Asked>; placed: Call<Asked>[] }
  /** The search was too long. */
  | { is: 'undecided' };

interface Next<State> {
  at: number;
  state: State;
}

interface Step<State> {
  state: State;
  done: bigint;
  /** What can be placed next, and how much of it was tried. */
  nexts: Next<State>[];
  tried: number;
  /** The call that led here. */
  by: number;
}

const isLost = ({ end }: Call<unknown>): boolean => end === Infinity;

/**
 * Looks for an order of the calls in which every answer is right, and in which a call that ended before another began comes
 * before it: the search of Wing and Gong, which remembers the calls placed and the state that they lead to, as Lowe does.
 */
export const linearize = <State, Asked>(
  { initial, after, key }: Specification<State, Asked>,
  given: readonly Call<Asked>[],
  mostSteps = 200_000,
): Verdict<Asked> => {
  const calls = given.toSorted((one, other) => one.begin - other.begin || one.end - other.end);
  const seen = new Set<string>();
  const isDone = (done: bigint, at: number): boolean => ((done >> BigInt(at)) & 1n) === 1n;

  /** The open calls that began before any of them ended, those that ended first before others. */
  const candidates = (done: bigint): number[] => {
    const found: number[] = [];
    let firstEnd = Infinity;
    for (const [at, { begin, end }] of calls.entries()) {
      if (begin > firstEnd) break;
      if (isDone(done, at)) continue;
      found.push(at);
      firstEnd = Math.min(firstEnd, end);
    }
    if (firstEnd === Infinity) return [];
    return found.sort((one, other) => calls[one]!.end - calls[other]!.end);
  };

  const nextsOf = (state: State, done: bigint): Next<State>[] => {
    const before = key(state);
    return candidates(done).flatMap((at) => {
      const next = after(state, calls[at]!.asked);
      if (next === undefined || (isLost(calls[at]!) && key(next) === before)) return [];
      return [{ at, state: next }];
    });
  };

  const stepTo = (state: State, done: bigint, by: number): Step<State> => ({
    ...{ state, done, by },
    nexts: nextsOf(state, done),
    tried: 0,
  });

  const path: Step<State>[] = [stepTo(initial, 0n, -1)];
  let longest = { placed: [] as number[], done: 0n };
  for (let steps = 0; steps < mostSteps; steps++) {
    const step = path.at(-1);
    if (!step) {
      const at = candidates(longest.done)[0]!;
      return { is: 'not linearizable', stuck: calls[at]!, placed: longest.placed.map((one) => calls[one]!) };
    }
    if (candidates(step.done).length === 0) return { is: 'linearizable' };
    if (path.length - 1 > longest.placed.length)
      longest = { placed: path.slice(1).map(({ by }) => by), done: step.done };
    const next = step.nexts[step.tried++];
    if (!next) {
      path.pop();
      continue;
    }
    const done = step.done | (1n << BigInt(next.at));
    const place = `${done.toString(36)} ${key(next.state)}`;
    if (seen.has(place)) continue;
    seen.add(place);
    path.push(stepTo(next.state, done, next.at));
  }
  return { is: 'undecided' };
};
