import { describe, expect, it } from 'vitest';
import { newTotpSecret, stepOfCode, totpCode } from '../../../infra/local/identity/totp.ts';

/** The secret of the vectors in RFC 6238, appendix B: `12345678901234567890`. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %s s', (seconds, code) => {
    expect(totpCode(secret, seconds * 1000)).toBe(code);
  });

  it('have secrets of 160 bits, each of its own', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
  });

  it('count within one step of the clock, and only after the step that was used last', () => {
    const now = 1_000_000 * 30_000;
    const stepOf = (offset: number, last_step = 0) =>
      stepOfCode({ secret, last_step }, totpCode(secret, now + offset * 30_000), now);
    expect([-2, -1, 0, 1, 2].map((offset) => stepOf(offset))).toEqual([
      undefined,
      999_999,
      1_000_000,
      1_000_001,
      undefined,
    ]);
    expect(stepOf(0, 1_000_000)).toBeUndefined();
    expect(stepOf(-1, 1_000_000)).toBeUndefined();
    expect(stepOf(1, 1_000_000)).toBe(1_000_001);
    expect(stepOfCode({ secret, last_step: 0 }, '', now)).toBeUndefined();
  });
});
