import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { freshFiles } from './test/support/fresh/fresh-files.ts';
import { asFunctions } from './test/support/rights/as-functions.ts';

/** What takes long by its nature: services, processes, histories, and what needs the emulator itself. */
const slow = ['test/**/*.slow.test.ts', 'test/prove/**/*.test.ts'];
const checks = ['test/support/check-events.ts', 'test/support/rights/check-rights.ts'];
const fresh = 'test/support/fresh/fresh-file.ts';
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Runs over a DynamoDB endpoint: that of `AWS_ENDPOINT_URL_DYNAMODB`, else a temporary emulator. */
const overEndpoint = {
  ...patience,
  globalSetup: ['test/support/table-server.ts'],
  setupFiles: [
    ...(process.env['DYNAMODB_CLIENT'] === 'sdk' ? ['test/support/use-reference-client.ts'] : []),
    ...checks,
  ],
};

/** The longest file of all begins first, so that no worker waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      moduleId.endsWith('/service/service.test.ts');
    return (await super.sort(files)).toSorted(
      (one, other) => Number(isLongest(other)) - Number(isLongest(one)),
    );
  }
}

export default defineConfig({
  test: {
    // A worker waits for the table most of its time: two cores carry two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['test/support/temporary-folder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [freshFiles()],
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          exclude: slow,
          setupFiles: [fresh],
          ...patience,
        },
      },
      {
        plugins: [asFunctions(), freshFiles()],
        test: {
          name: 'table',
          isolate: false,
          include: ['test/{table,api,events}/**/*.test.ts'],
          exclude: slow,
          setupFiles: [fresh, 'test/support/in-memory-table.ts', ...checks],
          ...patience,
        },
      },
      {
        plugins: [asFunctions(), freshFiles()],
        test: {
          ...overEndpoint,
          name: 'emulator',
          isolate: false,
          include: ['test/table/**/*.test.ts'],
          exclude: slow,
          setupFiles: [fresh, ...overEndpoint.setupFiles],
        },
      },
      {
        plugins: [asFunctions()],
        test: {
          ...overEndpoint,
          name: 'slow',
          include: slow,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          exclude: slow,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...patience } },
    ],
  },
});
