import type { Condition, Write } from '../../../shared/platform/table/index.ts';

type Creator = (...given: unknown[]) => Write;

/** The switch that instrumented code asks at run time; one for each process. */
interface Switch {
  /** The id of the mutant that is on; undefined: none, the code as it is written. */
  active: string | undefined;
  /** The mutants that were reached; undefined: not recorded. */
  reached: Set<string> | undefined;
  on: (mutant: string) => boolean;
  always: Condition;
  never: Condition;
  unconditional: (on: boolean, write: Write) => Write;
  creator: (isOn: () => boolean, create: Creator) => Creator;
  moved: (on: boolean, value: unknown, step: number) => unknown;
  compare: (on: boolean, before: string, operator: string, left: number, right: number) => boolean;
}

const comparisons: Record<string, (left: number, right: number) => boolean> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
};

/** Valid in a filter too, where key attributes are refused. */
const exists: Condition = (terms) => `attribute_exists(${terms.name('entity')})`;
const isMissing: Condition = (terms) => `attribute_not_exists(${terms.name('entity')})`;

const withoutCondition = (write: Write): Write => ({
  ...write,
  render: (tableName) => {
    const { Put } = write.render(tableName);
    return Put ? { Put: { TableName: Put.TableName, Item: Put.Item } } : write.render(tableName);
  },
});

const newSwitch = (): Switch => ({
  active: undefined,
  reached: undefined,
  on(mutant) {
    this.reached?.add(mutant);
    return mutant === this.active;
  },
  always: (terms) => `${exists(terms)} OR ${isMissing(terms)}`,
  never: (terms) => `${exists(terms)} AND ${isMissing(terms)}`,
  unconditional: (on, write) => (on ? withoutCondition(write) : write),
  creator:
    (isOn, create) =>
    (...given) =>
      isOn() ? withoutCondition(create(...given)) : create(...given),
  moved: (on, value, step) => (on && typeof value === 'number' ? value + step : value),
  compare: (on, before, operator, left, right) => comparisons[on ? operator : before]!(left, right),
});

const home = globalThis as { __mutants?: Switch };

/** The switch of this process. */
export const mutants: Switch = (home.__mutants ??= newSwitch());
