import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** Seeded randomness and simulated pauses of the code that runs inside. */
interface Virtual {
  random: () => number;
  pause: (ms: number) => Promise<void>;
}

const inside = new AsyncLocalStorage<Virtual>();

export const runVirtual = <Result>(virtual: Virtual, run: () => Result): Result => inside.run(virtual, run);

const real = { randomInt: crypto.randomInt, randomUUID: crypto.randomUUID, setTimeout: timers.setTimeout };

const hex = (random: () => number, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

const virtualInt = (...args: [number, number?]): number => {
  const virtual = inside.getStore();
  const [low, high] = args[1] === undefined ? [0, args[0]] : [args[0], args[1]];
  return virtual ? low + Math.floor(virtual.random() * (high - low)) : real.randomInt(low, high);
};

const virtualUuid = (): ReturnType<typeof real.randomUUID> => {
  const virtual = inside.getStore();
  if (!virtual) return real.randomUUID();
  const part = (digits: number) => hex(virtual.random, digits);
  return `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`;
};

const virtualTimeout = <Value>(ms?: number, value?: Value, options?: object): Promise<Value> => {
  const virtual = inside.getStore();
  if (!virtual) return real.setTimeout(ms, value, options);
  return virtual.pause(ms ?? 0).then(() => value as Value);
};

/** Replaces Node's own functions for code inside `runVirtual`; other code is not affected. */
export const makeVirtual = (): void => {
  Object.assign(crypto, { randomInt: virtualInt, randomUUID: virtualUuid });
  Object.assign(timers, { setTimeout: virtualTimeout });
  syncBuiltinESMExports();
};

/** mulberry32: a small seeded generator. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
