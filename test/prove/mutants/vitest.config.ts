import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { readPlan } from './plan.ts';
import { hashOf } from './coverage.ts';
import { instrumented } from './sources.ts';

/** The tests of `vitest.config.ts`, over sources that hold every mutant behind a switch. */
const { mode } = readPlan();
const root = fileURLToPath(new URL('../../../', import.meta.url));

const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  transform: (_: string, id: string): string | undefined =>
    instrumented(relative(root, id).replaceAll('\\', '/')),
};

/** A mutant that hangs is one that a test notices; no test needs as long. */
const testTimeout = mode === 'record' ? 30_000 : 10_000;

const projects = (base.test!.projects as UserWorkspaceConfig[])
  .filter(({ test }) => test?.name === 'unit' || test?.name === 'table')
  .map((project) => ({
    ...project,
    plugins: [plugin],
    test: {
      ...project.test,
      // Last, around the table in memory.
      setupFiles: [...[project.test?.setupFiles ?? []].flat(), 'test/prove/mutants/setup.ts'],
      runner: new URL('runner.ts', import.meta.url).pathname,
      testTimeout,
    },
  }));

/** A test mostly waits for the table, so each core has a worker of its own. */
const maxWorkers = availableParallelism();

/** Sources that other rules have instrumented are not to be met again. */
const rules = ['rules', 'own-makers', 'sites']
  .map((name) => hashOf(`test/prove/mutants/${name}.ts`))
  .join('-');
const fsModuleCachePath = `${root}node_modules/.cache/mutants/modules-${rules}`;

export default defineConfig({ test: { ...base.test, projects, maxWorkers, fsModuleCachePath } });
