import { startTable } from '../../infra/local/table/index.ts';
import { localAwsEnvironment } from './aws-env.ts';
import { openLimits } from './open-limits.ts';

/** Starts one DynamoDB endpoint for the test run: that of `AWS_ENDPOINT_URL_DYNAMODB`, else a temporary emulator. */
export default async function startTableForTheRun(): Promise<() => Promise<void>> {
  const table = await startTable({ log: (line) => console.error(line) });
  Object.assign(process.env, localAwsEnvironment(table.endpoint));
  if (table.file !== undefined) process.env['NIGHTLATCH_TABLE_FILE'] = table.file.path;
  openLimits();
  return table.stop;
}
