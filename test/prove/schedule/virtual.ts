import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import callbackTimers from 'node:timers';
import timers from 'node:timers/promises';
import { once } from '../../../shared/platform/once.ts';
import { rememberCompressed } from './remembered-zlib.ts';

/** Seeded randomness, simulated pauses and simulated time of the code that runs inside. */
interface Virtual {
  random: () => number;
  pause: (ms: number) => Promise<void>;
  /** Absent: clocks and callback timers remain real. */
  time?: VirtualTime;
}

interface VirtualTime {
  /** Epoch milliseconds. */
  now: () => number;
  /** Runs a callback later; returns its cancellation. */
  later: (ms: number, run: () => void) => () => void;
}

const inside = new AsyncLocalStorage<Virtual>();

export const runVirtual = <Result>(virtual: Virtual, run: () => Result): Result => inside.run(virtual, run);

const real = {
  randomInt: crypto.randomInt,
  randomUUID: crypto.randomUUID,
  randomBytes: crypto.randomBytes,
  pause: timers.setTimeout,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  random: Math.random,
  signalAfter: AbortSignal.timeout.bind(AbortSignal),
  performanceNow: performance.now.bind(performance),
};

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

const virtualBytes = (size: number): Buffer => {
  const virtual = inside.getStore();
  return virtual ? Buffer.from(hex(virtual.random, 2 * size), 'hex') : real.randomBytes(size);
};

const virtualPause = <Value>(ms?: number, value?: Value, options?: object): Promise<Value> => {
  const virtual = inside.getStore();
  if (!virtual) return real.pause(ms, value, options);
  return virtual.pause(ms ?? 0).then(() => value as Value);
};

/** A timer of simulated time; it has what callers use of Node's. */
class VirtualTimer {
  readonly cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

type Callback = (...args: unknown[]) => void;

const virtualTimeout = (run: Callback, ms = 0, ...args: unknown[]): unknown => {
  const time = inside.getStore()?.time;
  if (!time) return real.setTimeout(run, ms, ...args);
  return new VirtualTimer(
    time.later(
      ms,
      AsyncResource.bind(() => run(...args)),
    ),
  );
};

const virtualClear = (timer: unknown): void => {
  if (timer instanceof VirtualTimer) timer.cancel();
  else real.clearTimeout(timer as NodeJS.Timeout);
};

const virtualImmediate = (run: Callback, ...args: unknown[]): unknown =>
  inside.getStore()?.time ? virtualTimeout(run, 0, ...args) : real.setImmediate(run, ...args);

const virtualNow = (): number => inside.getStore()?.time?.now() ?? real.now();

const virtualSignal = (ms: number): AbortSignal => {
  if (!inside.getStore()?.time) return real.signalAfter(ms);
  const controller = new AbortController();
  virtualTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
  return controller.signal;
};

const rememberOnce = once(rememberCompressed);

/** Replaces Node's own functions for code inside `runVirtual`; other code is not affected. */
export const makeVirtual = (): void => {
  Object.assign(crypto, { randomInt: virtualInt, randomUUID: virtualUuid, randomBytes: virtualBytes });
  Object.assign(timers, { setTimeout: virtualPause });
  const callbacks = {
    setTimeout: virtualTimeout,
    clearTimeout: virtualClear,
    setImmediate: virtualImmediate,
  };
  Object.assign(callbackTimers, callbacks);
  Object.assign(globalThis, callbacks);
  Date.now = virtualNow;
  Math.random = () => (inside.getStore()?.random ?? real.random)();
  AbortSignal.timeout = virtualSignal;
  performance.now = () => inside.getStore()?.time?.now() ?? real.performanceNow();
  rememberOnce();
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
