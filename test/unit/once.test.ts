import { expect, it } from 'vitest';
import { once } from '../../shared/platform/once.ts';

it('once makes a value at the first call, whatever it is, and no other', () => {
  let calls = 0;
  const nothing = once((): undefined => {
    calls++;
  });
  expect(calls).toBe(0);
  nothing();
  nothing();
  expect(calls).toBe(1);
});

it('once tries again after a failure', () => {
  let calls = 0;
  const second = once(() => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  expect(second).toThrow('not yet');
  expect([second(), second()]).toEqual([2, 2]);
});
