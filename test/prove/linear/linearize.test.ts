import { describe, expect, it } from 'vitest';
import { type Call, linearize, type Specification } from './linearize.ts';

/** A register with one value, whose histories are known from the literature. */
type Register = { write: number } | { read: number };

const register: Specification<number, Register> = {
  initial: 0,
  after: (value, asked) => ('write' in asked ? asked.write : asked.read === value ? value : undefined),
  key: String,
};

const call = (begin: number, end: number, asked: Register): Call<Register> => ({
  name: `${begin}`,
  begin,
  end,
  asked,
});
const lost = Infinity;

describe('an order is found', () => {
  it.each<[string, Call<Register>[]]>([
    ['for no call', []],
    ['when a read follows its write', [call(0, 1, { write: 1 }), call(2, 3, { read: 1 })]],
    ['when a read beside a write sees the value before', [call(0, 9, { write: 1 }), call(2, 3, { read: 0 })]],
    ['when a read beside a write sees the new value', [call(0, 9, { write: 1 }), call(2, 3, { read: 1 })]],
    [
      'when reads beside two writes see one and then the other',
      [call(0, 9, { write: 1 }), call(0, 9, { write: 2 }), call(1, 2, { read: 2 }), call(3, 4, { read: 1 })],
    ],
    ['when a write without an answer was never made', [call(0, lost, { write: 1 }), call(2, 3, { read: 0 })]],
    [
      'when a write without an answer is made long after',
      [call(0, lost, { write: 1 }), call(2, 3, { read: 0 }), call(4, 5, { read: 1 })],
    ],
    ['when calls touch at one moment', [call(0, 2, { read: 1 }), call(2, 3, { write: 1 })]],
  ])('%s', (_, calls) => {
    expect(linearize(register, calls)).toEqual({ is: 'linearizable' });
  });
});

describe('no order is found', () => {
  it.each<[string, Call<Register>[], Register]>([
    ['when a read is stale', [call(0, 1, { write: 1 }), call(2, 3, { read: 0 })], { read: 0 }],
    ['when a read sees a value that was never written', [call(0, 1, { read: 7 })], { read: 7 }],
    [
      'when a value is seen, and then the one before it',
      [call(0, 9, { write: 1 }), call(1, 2, { read: 1 }), call(3, 4, { read: 0 })],
      { read: 0 },
    ],
    [
      'when two readers disagree on the order of two writes',
      [call(0, 1, { write: 1 }), call(0, 1, { write: 2 }), call(2, 3, { read: 1 }), call(4, 5, { read: 2 })],
      { read: 2 },
    ],
    [
      'when a write without an answer is seen and then undone',
      [call(0, lost, { write: 1 }), call(1, 2, { read: 1 }), call(3, 4, { read: 0 })],
      { read: 0 },
    ],
  ])('%s', (_, calls, asked) => {
    const verdict = linearize(register, calls);
    expect(verdict).toMatchObject({ is: 'not linearizable', stuck: { asked } });
  });
});

it('a search that is too long has no verdict', () => {
  const calls = Array.from({ length: 20 }, (_, at) => call(0, 99, { write: at }));
  expect(linearize(register, [...calls, call(100, 101, { read: -1 })], 1000)).toEqual({ is: 'undecided' });
});

it('the calls before the unexplained answer are listed in the order that was found', () => {
  const verdict = linearize(register, [
    call(0, 9, { write: 1 }),
    call(1, 2, { read: 0 }),
    call(10, 11, { read: 5 }),
  ]);
  expect(verdict).toMatchObject({ placed: [{ asked: { read: 0 } }, { asked: { write: 1 } }] });
});

/** Every order of the calls that keeps what ended before what began later. */
const hasOrder = (calls: readonly Call<Register>[], value = 0): boolean => {
  const answered = calls.filter(({ end }) => end !== Infinity);
  if (answered.length === 0) return true;
  const firstEnd = Math.min(...answered.map(({ end }) => end));
  return calls.some((one) => {
    if (one.begin > firstEnd) return false;
    const next = register.after(value, one.asked);
    return (
      next !== undefined &&
      hasOrder(
        calls.filter((other) => other !== one),
        next,
      )
    );
  });
};

it('its verdict is that of trying every order, in 2,000 random histories', () => {
  let state = 1;
  const below = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const verdicts = { yes: 0, no: 0 };
  for (let history = 0; history < 2000; history++) {
    const calls = Array.from({ length: 1 + below(6) }, () => {
      const begin = below(12);
      const asked = below(2) === 0 ? { write: below(3) } : { read: below(3) };
      const isLost = 'write' in asked && below(5) === 0;
      return call(begin, isLost ? lost : begin + 1 + below(6), asked);
    });
    const isFound = linearize(register, calls).is === 'linearizable';
    expect(isFound, JSON.stringify(calls)).toBe(hasOrder(calls));
    verdicts[isFound ? 'yes' : 'no']++;
  }
  expect(Math.min(verdicts.yes, verdicts.no)).toBeGreaterThan(300);
});
