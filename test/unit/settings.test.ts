import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LocalEnv, localSettings } from '../../infra/local/settings.ts';
import { softLockMs } from '../../shared/domain/checkout/soft-lock.rules.ts';
import { paymentWindowEnd } from '../../shared/domain/payment/payment-window.rules.ts';
import { readSettings, settingRows, SettingsEnv } from '../../shared/platform/settings.ts';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(SettingsEnv.shape);

afterEach(() => vi.unstubAllEnvs());

describe('a setting', () => {
  it.each([
    ['SOFT_LOCK_MINUTES', 'abc'],
    ['SOFT_LOCK_MINUTES', '-5'],
    ['SOFT_LOCK_MINUTES', '0'],
    ['SOFT_LOCK_MINUTES', '61'],
    ['SOFT_LOCK_MINUTES', '1.5'],
    ['SOFT_LOCK_MINUTES', ''],
    ['PAYMENT_WINDOW_MINUTES', '29'],
    ['PAYMENT_WINDOW_MINUTES', '1441'],
    ['PAYMENT_WINDOW_MINUTES', 'NaN'],
    ['UNPAID_STAY_LIMIT', '0'],
    ['RATE_LIMIT_KEY', '-1'],
    ['RATE_LIMIT_USER', '12a'],
    ['RATE_LIMIT_ATTEMPTS', 'none'],
    ['RATE_LIMIT_ATTEMPTS', '6'],
    ['SANDBOX_SCENARIOS', 'yes'],
    ['TEAM_SIGN_UP', 'true'],
  ])('%s=%s is refused by its name, its value untold', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(`${name}: must be`);
    expect(readSettings({})).toEqual(readSettings({ OTHER: value }));
  });

  it('names every wrong one at once', () => {
    const read = () => readSettings({ SOFT_LOCK_MINUTES: 'abc', RATE_LIMIT_KEY: '-1' });
    expect(read).toThrow(/SOFT_LOCK_MINUTES: .*; RATE_LIMIT_KEY: /);
  });

  it('stops a function when it is loaded, not each of its calls', async () => {
    vi.stubEnv('SOFT_LOCK_MINUTES', 'abc');
    vi.resetModules();
    await expect(import('../../functions/checkout/index.ts')).rejects.toThrow('SOFT_LOCK_MINUTES');
  });

  it('stops the laptop before anything starts', () => {
    for (const name of names)
      expect(() => localSettings({ [name]: 'x' })).toThrow(new RegExp(`${name}: must be`));
  });

  it('is what the service goes by', () => {
    const now = 1_800_000_000_000;
    expect(softLockMs()).toBe(15 * 60_000);
    vi.stubEnv('SOFT_LOCK_MINUTES', '7');
    vi.stubEnv('PAYMENT_WINDOW_MINUTES', '45');
    expect(softLockMs()).toBe(7 * 60_000);
    expect(paymentWindowEnd(now, [now + 9e9])).toBe(now + 45 * 60_000);
  });

  it('has a default, its values and a meaning', () => {
    for (const { name, byDefault, values, meaning } of settingRows()) {
      expect(() => readSettings({ [name]: byDefault })).not.toThrow();
      expect(values).toMatch(/^(\d+ to \d+|`on` or `off`)/);
      expect(meaning.length).toBeGreaterThan(20);
    }
  });
});

/** Variables that are no settings: of Lambda, the SDKs, the bundler, the release, the tests and the laptop's own parts. */
const own = [
  'API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_LAMBDA_LOG_LEVEL',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'CLOCK_OFFSET_MS',
  'METRICS_DISABLED',
  'NIGHTLATCH_TABLE_FILE',
  'SERVICE_COMMIT',
  'SERVICE_NAME',
  'SERVICE_VERSION',
  '_X_AMZN_TRACE_ID',
];

describe('every variable that the code reads', () => {
  const sources = ['shared', 'functions', 'infra', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(root, folder, path)),
  );

  it('is declared with a schema, or is no setting', () => {
    const read = sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/process\.env\['([A-Z_]+)'\]/g)].map(([, name]) => name ?? ''),
    );
    const known = [...own, ...names, ...Object.keys(LocalEnv.shape)];
    expect(read.filter((name) => !known.includes(name))).toEqual([]);
    expect(own.filter((name) => !read.includes(name))).toEqual([]);
  });

  it('of a setting is read through the schema alone', () => {
    const raw = sources.filter((path) =>
      names.some((name) => readFileSync(path, 'utf8').includes(`process.env['${name}']`)),
    );
    expect(raw).toEqual([]);
  });
});
