import type { Condition, Write } from '../../../shared/platform/table/index.ts';

/** The switch that instrumented code asks at run time; one for each process. */
interface Switch {
  /** The mutant that is on; -1: none, the code as it is written. */
  active: number;
  /** The mutants that were reached; undefined: not recorded. */
  reached: Set<number> | undefined;
  on: (mutant: number) => boolean;
  always: Condition;
  never: Condition;
  unconditional: (on: boolean, write: Write) => Write;
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
  active: -1,
  reached: undefined,
  on(mutant) {
    this.reached?.add(mutant);
    return mutant === this.active;
  },
  always: (terms) => `${exists(terms)} OR ${isMissing(terms)}`,
  never: (terms) => `${exists(terms)} AND ${isMissing(terms)}`,
  unconditional: (on, write) => (on ? withoutCondition(write) : write),
  moved: (on, value, step) => (on && typeof value === 'number' ? value + step : value),
  compare: (on, before, operator, left, right) => comparisons[on ? operator : before]!(left, right),
});

const home = globalThis as { __mutants?: Switch };

/** The switch of this process. */
export const mutants: Switch = (home.__mutants ??= newSwitch());
