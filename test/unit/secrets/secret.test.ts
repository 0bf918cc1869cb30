import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import { keptSecret } from '../../../shared/platform/secrets/index.ts';

const minute = 60_000;

const scene = () => {
  const clock = fixedClock('2026-11-20T10:00:00Z');
  const warnings: string[] = [];
  const log = { warn: (...texts: unknown[]) => void warnings.push(String(texts[0])) };
  const store: { value: string | Error; reads: number } = { value: 'old', reads: 0 };
  const load = async () => {
    store.reads += 1;
    // Others may ask while this waits.
    await Promise.resolve();
    if (store.value instanceof Error) throw store.value;
    return store.value;
  };
  return { clock, warnings, store, secret: keptSecret(load, { clock, log }) };
};

describe('a secret', () => {
  it('is read once for all who ask within 5 minutes', async () => {
    const { clock, store, secret } = scene();
    expect(await Promise.all([secret.read(), secret.read()])).toEqual(['old', 'old']);
    clock.advance(5 * minute - 1);
    await secret.read();
    expect(store.reads).toBe(1);
  });

  it('that was rotated is in use within 5 minutes', async () => {
    const { clock, store, secret } = scene();
    await secret.read();
    store.value = 'new';
    clock.advance(5 * minute - 1);
    expect(await secret.read()).toBe('old');
    clock.advance(1);
    expect(await secret.read()).toBe('new');
    expect(store.reads).toBe(2);
  });

  it('stays in use while it cannot be read again, with a warning, and is tried again each 10 seconds', async () => {
    const { clock, store, secret, warnings } = scene();
    await secret.read();
    store.value = new Error('AccessDenied');
    clock.advance(60 * minute);
    expect(await Promise.all([secret.read(), secret.read()])).toEqual(['old', 'old']);
    clock.advance(9999);
    expect(await secret.read()).toBe('old');
    expect([store.reads, warnings.length]).toEqual([2, 1]);
    store.value = 'new';
    clock.advance(1);
    expect(await secret.read()).toBe('new');
    clock.advance(4 * minute);
    await secret.read();
    expect([store.reads, warnings.length]).toEqual([3, 1]);
  });

  it('that was never read is an error, and read at the next call', async () => {
    const { store, secret, warnings } = scene();
    store.value = new Error('AccessDenied');
    await expect(secret.read()).rejects.toThrow('AccessDenied');
    store.value = 'old';
    expect(await secret.read()).toBe('old');
    expect(warnings).toEqual([]);
  });

  it('that is refused is read at once, but not again and again', async () => {
    const { clock, store, secret } = scene();
    await secret.read();
    clock.advance(minute);
    store.value = 'new';
    expect(await Promise.all([secret.renew('old'), secret.renew('old')])).toEqual(['new', 'new']);
    expect(await secret.renew('old')).toBe('new');
    expect(await secret.renew('new')).toBe('new');
    expect(store.reads).toBe(2);
    clock.advance(10_000);
    await secret.renew('new');
    expect(store.reads).toBe(3);
  });

  it('is read again when the clock was set back', async () => {
    const { clock, store, secret } = scene();
    await secret.read();
    store.value = 'new';
    clock.advance(-minute);
    expect(await secret.read()).toBe('new');
  });
});
