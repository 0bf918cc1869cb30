import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMsOf } from './cpu.ts';

/** The calls that a process answers. */
type Calls = Record<string, (argument: never) => unknown>;

interface Call {
  id: number;
  name: string;
  argument: unknown;
}
interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

type ArgumentOf<C extends Calls, N extends keyof C> = Parameters<C[N]>[0];
type ResultOf<C extends Calls, N extends keyof C> = Awaited<ReturnType<C[N]>>;

/** A process of the bench, measured on its own. */
export interface BenchProcess<C extends Calls> {
  pid: number;
  call<N extends keyof C & string>(name: N, argument: ArgumentOf<C, N>): Promise<ResultOf<C, N>>;
  /** CPU that it has used, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Answers the calls of the process that started this one. */
export const answerCalls = (calls: Calls): void => {
  process.on('message', ({ id, name, argument }: Call) => {
    const all: Calls = { ...calls, cpuMs: ownCpuMs };
    const reply = (answer: Omit<Answer, 'id'>) => process.send?.({ id, ...answer });
    void (async () => all[name]?.(argument as never))().then(
      (result) => reply({ result }),
      (error: unknown) =>
        reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
};

export const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface Start {
  env?: Record<string, string>;
  /** The file that takes its standard output: what a function logs. Discarded by default. */
  outputFile?: string;
}

/** Starts a file of this folder in a process of its own. */
export const startProcess = <C extends Calls>(
  file: string,
  { env, outputFile }: Start = {},
): BenchProcess<C> => {
  const output = outputFile === undefined ? undefined : openSync(outputFile, 'a');
  const child = fork(join(import.meta.dirname, file), [], {
    env: { ...process.env, ...env },
    serialization: 'advanced',
    stdio: ['ignore', output ?? 'ignore', 'inherit', 'ipc'],
  });
  if (output !== undefined) closeSync(output);
  const ask = asker(child, file);
  return {
    pid: child.pid ?? 0,
    call: (name, argument) => ask(name, argument) as never,
    cpuMs: () => ask('cpuMs', undefined) as Promise<number>,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const asker = (child: ChildProcess, file: string) => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on('message', ({ id, result, error }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(`${file}: ${error}`));
  });
  child.on('exit', (status) => {
    for (const asked of waiting.values()) asked.reject(new Error(`${file} ended with ${status}`));
    waiting.clear();
  });
  return (name: string, argument: unknown): Promise<unknown> => {
    const asked = Promise.withResolvers<unknown>();
    waiting.set(++last, asked);
    child.send({ id: last, name, argument } satisfies Call);
    return asked.promise;
  };
};

/** Reads the CPU of processes of which this one is not the parent, and returns what they use until it is called. */
export const cpuSince = (...pids: (number | undefined)[]): (() => number) => {
  const sum = () => pids.reduce<number>((total, pid) => total + (pid === undefined ? 0 : cpuMsOf(pid)), 0);
  const before = sum();
  return () => sum() - before;
};
