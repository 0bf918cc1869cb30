import { allFlags, type Command, type Commands } from './command.ts';

const program = 'npm run -s operator --';
const widest = 32;

/** Returns the list of all commands. */
export const helpOverview = (nouns: Record<string, Commands>): string => {
  const lines = Object.entries(nouns).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, { summary }]) => `  ${`${noun} ${verb}`.padEnd(widest)}${summary}`),
  );
  return [
    `${program} <noun> <verb> [--flag value]`,
    '',
    ...lines,
    '',
    'Run a command with --help for its flags.',
  ].join('\n');
};

/** Returns the help of one command. */
export const commandHelp = (noun: string, verb: string, command: Command): string => {
  const lines = Object.entries(allFlags(command)).map(
    ([name, { meaning, isRequired }]) => `  --${name.padEnd(18)}${meaning}${isRequired ? ' (required)' : ''}`,
  );
  return [`${program} ${noun} ${verb}`, command.summary, '', ...lines].join('\n');
};
