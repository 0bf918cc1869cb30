import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Returns the folder of the function that runs; undefined in a test itself. */
export const runningFunction = (): string | undefined => running.getStore();

/** Runs what a test does in the midst of a function. */
export const besideFunctions = <Result>(act: () => Result): Result => running.exit(act);

/** Returns a handler, or what makes handlers, whose calls run as the function of a folder. */
export const asFunction = <Made>(folder: string, made: Made): Made => {
  if (typeof made !== 'function') return made;
  return new Proxy(made, {
    apply: (called, self, args) =>
      asFunction(
        folder,
        running.run(folder, () => Reflect.apply(called, self, args) as unknown),
      ),
  });
};
