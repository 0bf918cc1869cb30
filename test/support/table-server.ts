import { startTable } from '../../infra/local/table/index.ts';
import { localAwsEnvironment } from './aws-env.ts';

/** One DynamoDB endpoint for the whole run: that of `AWS_ENDPOINT_URL_DYNAMODB`, else an emulator that keeps nothing. */
export default async function startTableForTheRun(): Promise<() => Promise<void>> {
  const table = await startTable({ log: (line) => console.error(line) });
  Object.assign(process.env, localAwsEnvironment(table.endpoint));
  if (table.file !== undefined) process.env['NIGHTLATCH_TABLE_FILE'] = table.file.path;
  // Suites call and book with a few callers as fast as they can; those about limits set their own (D10, D85).
  for (const name of ['RATE_LIMIT_KEY', 'RATE_LIMIT_USER', 'RATE_LIMIT_ATTEMPTS', 'UNPAID_STAY_LIMIT'])
    process.env[name] ??= 'off';
  return table.stop;
}
