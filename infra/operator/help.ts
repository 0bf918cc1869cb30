import { allOptions, type Command, type Commands, flagName } from './command.ts';

const program = 'npm run -s operator --';

/** All nouns and verbs. */
export const overview = (nouns: Record<string, Commands>): string => {
  const lines = Object.entries(nouns).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, { summary }]) => `  ${`${noun} ${verb}`.padEnd(22)}${summary}`),
  );
  return [`${program} <noun> <verb> [--flag value]`, '', ...lines, '', 'Each takes --help.'].join('\n');
};

/** The flags of one command. */
export const manual = (noun: string, verb: string, command: Command): string => {
  const lines = Object.entries(allOptions(command)).map(
    ([name, { meaning, required }]) =>
      `  --${flagName(name).padEnd(18)}${meaning}${required ? ' (required)' : ''}`,
  );
  return [`${program} ${noun} ${verb}`, command.summary, '', ...lines].join('\n');
};
