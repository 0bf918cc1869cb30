import { describe, expect, it } from 'vitest';
import { stageSchema } from '../../infra/cloud/stage-file.ts';
import { countRequest } from '../../shared/platform/metrics/index.ts';
import { metricLinesOf } from '../support/figures.ts';

const lambdaLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

const { properties } = stageSchema() as {
  properties: { logs: { properties: { level: { enum: string[] } } } };
};
const stageLevels = properties.logs.properties.level.enum;

/** The level that Lambda takes a line of JSON for: INFO unless it has a level and a time of RFC 3339. */
const lambdaLevelOf = ({ level, timestamp }: Record<string, unknown>): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(timestamp))
    ? lambdaLevels.indexOf(String(level))
    : lambdaLevels.indexOf('INFO');

const answer = (): Promise<void> => {
  countRequest('confirm', 'confirmCheckout', 503);
  return Promise.resolve();
};

describe('a line of metrics', () => {
  it.each(stageLevels)('reaches CloudWatch where a stage logs from %s on', async (level) => {
    const lines = await metricLinesOf(answer);
    expect(lines).toHaveLength(1);
    for (const line of lines) expect(lambdaLevelOf(line)).toBeGreaterThanOrEqual(lambdaLevels.indexOf(level));
  });

  it('has the time of its metric', async () => {
    const [line] = await metricLinesOf(answer);
    expect(Date.parse(String(line?.['timestamp']))).toBe(line?._aws.Timestamp);
    expect(line?._aws.Timestamp).toBeGreaterThan(0);
  });
});
