import { readFileSync } from 'node:fs';

/** What the workers of one run of tests do. */
export interface Plan {
  journal: string;
  /** `record`: which mutants each test reaches. `repeat`: each test once for each mutant. `whole`: the file with one mutant on, or none. */
  mode: 'record' | 'repeat' | 'whole';
  /** By file and name of a test, the mutants to try; of `record` empty. */
  tests: Record<string, Record<string, string[]>>;
}

/** The variable with the path of the plan. */
export const planVariable = 'MUTANTS_PLAN';

export const readPlan = (): Plan => JSON.parse(readFileSync(process.env[planVariable] ?? '', 'utf8')) as Plan;
