import { afterEach, describe, expect, it, vi } from 'vitest';
import { logOf } from '../../shared/platform/metrics/log.ts';

const linesOf = (level?: 'DEBUG' | 'SILENT'): { log: ReturnType<typeof logOf>; lines: string[] } => {
  const lines: string[] = [];
  return { log: logOf({ ...(level && { level }), write: (line) => lines.push(line) }), lines };
};

afterEach(() => vi.unstubAllEnvs());

describe('a log', () => {
  it('writes one line of JSON an entry, with level, service, time, trace and details', () => {
    vi.stubEnv('SERVICE_NAME', 'checkout');
    vi.stubEnv(
      '_X_AMZN_TRACE_ID',
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    );
    const { log, lines } = linesOf('DEBUG');
    log.error('It failed.', { cause: 'a\nb', count: 2, none: undefined });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'ERROR',
      message: 'It failed.',
      service: 'checkout',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793',
      cause: 'a\nb',
      count: 2,
    });
  });

  it.each([
    ['DEBUG', ['DEBUG', 'INFO', 'WARN', 'ERROR']],
    ['INFO', ['INFO', 'WARN', 'ERROR']],
    ['WARN', ['WARN', 'ERROR']],
    ['ERROR', ['ERROR']],
    ['SILENT', []],
    ['chatty', ['INFO', 'WARN', 'ERROR']],
  ])('at the level %s writes %j', (level, written) => {
    vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', undefined);
    vi.stubEnv('LOG_LEVEL', level);
    const { log, lines } = linesOf();
    for (const own of ['debug', 'info', 'warn', 'error'] as const) log[own]('text');
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(written);
  });

  it("has Lambda's level where there is one", () => {
    vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', 'WARN');
    vi.stubEnv('LOG_LEVEL', 'DEBUG');
    const { log, lines } = linesOf();
    log.info('text');
    expect(lines).toEqual([]);
  });
});
