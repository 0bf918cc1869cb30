import { expect, it, vi } from 'vitest';
import { recordCanary } from '../../shared/platform/metrics/index.ts';

it('a run of the canary is one metric, whose line has its duration', () => {
  vi.stubEnv('STAGE', 'dev');
  vi.stubEnv('METRICS_DISABLED', 'false');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    recordCanary(900);
    const [line, ...others] = write.mock.calls.map(([text]) => JSON.parse(String(text)) as object);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'canary_success', Unit: 'Count' }] }] },
      ...{ canary_success: 1, duration_ms: 900 },
    });
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
});
