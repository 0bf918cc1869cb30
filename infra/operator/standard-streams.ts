import type { Readable, Writable } from 'node:stream';
import { invalid } from '../../shared/platform/errors.ts';

/** Standard input, output and error of the tool. */
export interface StandardStreams {
  input: Readable & { isTTY?: boolean };
  output: Writable;
  error: Writable & { isTTY?: boolean };
}

export const processStreams: StandardStreams = {
  input: process.stdin,
  output: process.stdout,
  error: process.stderr,
};

/** Returns a function that overwrites one progress line, if standard error is a terminal. */
export const progressOn =
  ({ error }: StandardStreams) =>
  (text: string): void => {
    if (error.isTTY) error.write(`\r${text.padEnd(70)}\r`);
  };

const longestSecret = 1024;

/** Returns a secret from standard input, without the end of its line. Refuses a terminal, which would show it. */
export const readSecret = async ({ input }: StandardStreams): Promise<string> => {
  if (input.isTTY)
    throw invalid({
      path: 'secret_stdin',
      message: '--secret-stdin reads the secret from a pipe or a file.',
    });
  let text = '';
  for await (const part of input) {
    text += String(part);
    if (text.length > longestSecret) break;
  }
  return text.trim();
};
