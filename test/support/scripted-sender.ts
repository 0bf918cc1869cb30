import type { Command, Sender } from '../../shared/platform/dynamodb/index.ts';

type Kind<One extends Command> = new (...input: never[]) => One;
type Outcome = () => Promise<object>;

/** A client that answers as a test says, and keeps what it was asked. */
export const scriptedSender = () => {
  const asked: Command[] = [];
  const scripts = new Map<unknown, { next: Outcome[]; always?: Outcome }>();
  const on = (kind: Kind<Command>) => {
    const script = scripts.get(kind) ?? { next: [] };
    scripts.set(kind, script);
    const steps = {
      rejectsOnce: (error: Error) => (script.next.push(() => Promise.reject(error)), steps),
      resolvesOnce: (output: object) => (script.next.push(() => Promise.resolve(output)), steps),
      rejects: (error: Error) => ((script.always = () => Promise.reject(error)), steps),
      resolves: (output: object) => ((script.always = () => Promise.resolve(output)), steps),
    };
    return steps;
  };
  const send = (command: Command): Promise<object> => {
    asked.push(command);
    const script = scripts.get(command.constructor);
    const outcome = script?.next.shift() ?? script?.always;
    if (!outcome) throw new Error(`the test has no answer to ${command.operation}`);
    return outcome();
  };
  return {
    sender: { send } as Sender,
    on,
    /** The requests of a kind, in their order. */
    asked: <One extends Command>(kind: Kind<One>) => asked.filter((one) => one instanceof kind) as One[],
    count: () => asked.length,
    reset: () => {
      asked.length = 0;
      scripts.clear();
    },
  };
};
