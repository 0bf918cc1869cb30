import { jsonRequest } from '../../shared/platform/aws/json-request.ts';
import { stage } from './stage.ts';

const cloudWatchLogs = jsonRequest(
  { name: 'logs', variable: 'AWS_ENDPOINT_URL_LOGS', contentType: 'application/x-amz-json-1.1' },
  'CloudWatch Logs',
  { requestTimeout: 20_000 },
);

/** Reads the logs of all functions from an instant on, in epoch milliseconds: `function: line`. */
export const functionLogs = async (startTime: number): Promise<string[]> => {
  const prefix = `/aws/lambda/nightlatch-${stage}-`;
  const { logGroups } = await cloudWatchLogs('Logs_20140328.DescribeLogGroups', {
    logGroupNamePrefix: prefix,
  });
  const names = (logGroups as { logGroupName: string }[]).map(({ logGroupName }) => logGroupName);
  const groups = names.map(async (logGroupName) => {
    const { events } = await cloudWatchLogs('Logs_20140328.FilterLogEvents', { logGroupName, startTime });
    return (events as { message: string }[]).map(
      ({ message }) => `${logGroupName.slice(prefix.length)}: ${message}`,
    );
  });
  return (await Promise.all(groups)).flat();
};

/** Returns the errors among lines of logs, each once. */
export const errorsIn = (lines: readonly string[]): string[] => [
  ...new Set(
    lines.filter((line) => /"level":"ERROR"|(Error|Failure):/.test(line)).map((line) => line.slice(0, 600)),
  ),
];
