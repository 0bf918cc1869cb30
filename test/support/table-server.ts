import { startTable } from '../../infra/local/table/index.ts';
import { localAwsEnvironment } from './aws-env.ts';

/** Starts one DynamoDB endpoint for the test run: that of `AWS_ENDPOINT_URL_DYNAMODB`, else a temporary emulator. */
export default async function startTableForTheRun(): Promise<() => Promise<void>> {
  const table = await startTable({ log: (line) => console.error(line) });
  Object.assign(process.env, localAwsEnvironment(table.endpoint));
  if (table.file !== undefined) process.env['NIGHTLATCH_TABLE_FILE'] = table.file.path;
  // Suites use few callers at a high rate; those about limits set their own (D10, D85).
  for (const name of ['RATE_LIMIT_KEY', 'RATE_LIMIT_USER', 'RATE_LIMIT_ATTEMPTS', 'UNPAID_STAY_LIMIT'])
    process.env[name] ??= 'off';
  return table.stop;
}
