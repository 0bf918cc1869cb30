import type { Sender } from '../../shared/platform/dynamodb/index.ts';

/** Returns a client of the table whose commands are answered by a function. */
export const senderOf = (send: (command: never, options?: never) => Promise<unknown>): Sender =>
  ({ send }) as unknown as Sender;
