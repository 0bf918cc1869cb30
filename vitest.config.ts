import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { asFunctions } from './test/support/rights/as-functions.ts';

export default defineConfig({
  test: {
    // A worker waits for the table most of its time: two cores carry two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['test/support/temporary-folder.ts'],
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        plugins: [asFunctions()],
        test: {
          name: 'table',
          include: ['test/{table,api,events,prove}/**/*.test.ts'],
          globalSetup: ['test/support/table-server.ts'],
          setupFiles: [
            ...(process.env['DYNAMODB_CLIENT'] === 'sdk' ? ['test/support/use-reference-client.ts'] : []),
            'test/support/check-events.ts',
            'test/support/rights/check-rights.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
