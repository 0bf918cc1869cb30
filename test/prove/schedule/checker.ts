import type { Answered, HistoryEvent, Intent, Names, View } from './history.ts';
import { Model } from './model.ts';
import { reasonFor } from './reasons.ts';
import { viewProblems } from './view-problems.ts';

/** A request with its events in the history. */
interface Operation {
  op: number;
  intent: Intent;
  begin: number;
  end: number | undefined;
  answer: Answered | undefined;
  commits: Names[];
  hadFault: boolean;
}

/** The state of the model from one event of the history to the next change. */
interface Version {
  from: number;
  to: number;
  model: Model;
}

/**
 * Returns every violation in a history: hours taken twice, effects without a response that reports them, responses without the
 * effect, refusals without a reason at any moment between request and response, inconsistent records.
 */
export const violations = (history: readonly HistoryEvent[]): string[] => {
  const operations = operationsOf(history);
  const { versions, problems } = replay(history, operations);
  return [
    ...problems,
    ...[...operations.values()].flatMap((operation) => operationProblems(operation, versions, operations)),
    ...keyProblems([...operations.values()]),
  ];
};

const operationsOf = (history: readonly HistoryEvent[]): Map<number, Operation> => {
  const operations = new Map<number, Operation>();
  history.forEach((event, at) => {
    if (event.type === 'begin') {
      const { op, intent } = event;
      const fresh = { begin: at, end: undefined, answer: undefined, commits: [], hadFault: false };
      operations.set(op, { op, intent, ...fresh });
    }
    if (!('op' in event)) return;
    const operation = operations.get(event.op);
    if (!operation) return;
    if (event.type === 'commit') operation.commits.push(event.names);
    if (event.type === 'fault') operation.hadFault = true;
    if (event.type === 'end') Object.assign(operation, { end: at, answer: event.answer });
  });
  return operations;
};

const name = ({ op, intent }: Operation): string => `${intent.who}#${op} ${intent.verb}`;

/** Applies every effect to the model in the order of the history, and compares each view of the table with it. */
const replay = (history: readonly HistoryEvent[], operations: ReadonlyMap<number, Operation>) => {
  const versions: Version[] = [];
  const problems: string[] = [];
  let model = new Model();
  const next = (at: number, change: (model: Model) => void): void => {
    versions.push({ from: versions.at(-1)?.to ?? 0, to: at, model });
    model = model.copy();
    change(model);
  };
  const compare = (view: View | undefined, when: string): void => {
    if (view) problems.push(...viewProblems(view, model).map((problem) => `${problem}, after ${when}`));
  };
  history.forEach((event, at) => {
    if (event.type === 'clock') next(at, (changed) => (changed.now = event.now));
    if (event.type === 'rest') compare(event.view, 'all');
    if (event.type !== 'commit') return;
    const operation = operations.get(event.op);
    if (!operation) {
      problems.push('an order was written without an owner');
      return;
    }
    next(at, (changed) => {
      const forbidden = changed.apply(operation.intent, event.names);
      problems.push(...forbidden.map((problem) => `${name(operation)}: ${problem}`));
    });
    compare(event.view, name(operation));
  });
  versions.push({ from: versions.at(-1)?.to ?? 0, to: history.length, model });
  return { versions, problems };
};

const operationProblems = (
  operation: Operation,
  versions: readonly Version[],
  operations: ReadonlyMap<number, Operation>,
): string[] => {
  const { answer, commits, intent } = operation;
  const problems: string[] = [];
  if (commits.length > 1) problems.push(`took effect ${commits.length} times`);
  if (answer) problems.push(...answerProblems(operation, answer, versions, operations));
  else if (intent.verb === 'hours' && commits.length > 0) problems.push('a read took effect');
  return problems.map((problem) => `${name(operation)}: ${problem}`);
};

const answerProblems = (
  operation: Operation,
  answer: Answered,
  versions: readonly Version[],
  operations: ReadonlyMap<number, Operation>,
): string[] => {
  const { commits, hadFault, intent } = operation;
  if (answer.status === 503)
    return hadFault ? [] : ['was answered SERVICE_UNAVAILABLE although nothing went wrong'];
  if (answer.status >= 500) return [`was answered ${answer.status} ${answer.body}`];
  const twins = [...operations.values()].filter((other) => isTwin(operation, other));
  if (answer.status >= 400 && commits.length > 0) return [`was answered ${answer.status} but took effect`];
  if (answer.status < 400 && commits.length > 0) return [];
  // The effect, or the reason, may belong to a duplicate: the same request with the same key.
  if (answer.status < 400 && twins.some((twin) => twin.commits.length > 0)) return [];
  const begin = Math.min(operation.begin, ...twins.map((twin) => twin.begin));
  const window = versions.filter(({ from, to }) => to >= begin && from <= (operation.end ?? Infinity));
  const others = [...operations.values()].filter(
    (other) => other !== operation && other.begin < (operation.end ?? Infinity),
  );
  const reason = reasonFor(
    intent,
    answer,
    momentsOf(window),
    others.map((other) => other.intent),
  );
  return reason
    ? []
    : [`was answered ${answer.status} ${answer.code ?? ''} without a reason: ${answer.body.slice(0, 200)}`];
};

/** A request reads its clock before the table: if time moves in between, it uses the earlier time. */
const momentsOf = (window: readonly Version[]): Model[] =>
  window.flatMap(({ model }, at) => {
    const earlier = new Set(window.slice(0, at).map((before) => before.model.now));
    earlier.delete(model.now);
    return [
      model,
      ...[...earlier].map((now) => {
        const copy = model.copy();
        copy.now = now;
        return copy;
      }),
    ];
  });

const isTwin = (one: Operation, other: Operation): boolean =>
  one !== other &&
  one.intent.key !== undefined &&
  one.intent.key === other.intent.key &&
  one.intent.who === other.intent.who &&
  one.intent.content === other.intent.content;

/** Returns Idempotency-Keys with more than one effect or response (D6), or with a stored error that is not stored (D100). */
const keyProblems = (operations: readonly Operation[]): string[] => {
  const groups = Map.groupBy(
    operations.filter(({ intent }) => intent.key !== undefined),
    ({ intent }) => `${intent.who} ${intent.key ?? ''} ${intent.content}`,
  );
  return [...groups.values()].flatMap((group) => {
    const effects = group.reduce((sum, { commits }) => sum + commits.length, 0);
    const kept = group.flatMap(({ answer }) =>
      answer && isKept(answer) ? [`${answer.status} ${answer.body}`] : [],
    );
    const undecided = group.flatMap(({ answer }) =>
      answer?.replayed && !isKept(answer) ? [`${answer.status} ${answer.body}`] : [],
    );
    const [first] = group;
    const key = first ? `${name(first)} with ${first.intent.key ?? ''}` : '';
    return [
      ...(effects > 1 ? [`${key} took effect ${effects} times`] : []),
      ...undecided.map((answer) => `${key} was answered again ${answer}`),
      ...(new Set(kept).size > 1 ? [`${key} was answered ${[...new Set(kept)].join(' and ')}`] : []),
    ];
  });
};

const isKept = ({ status }: Answered): boolean => status < 300 || [402, 409, 410].includes(status);
