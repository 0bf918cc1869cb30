import { parseArgs } from 'node:util';

export const costUsage = `Usage: npm run cost -- [-c stage=<stage>]

Prints the bill of a month of a stage (default: dev), from measured units and dated prices.`;

/** Returns the stage whose bill is asked for, undefined for `--help`. Throws for any other argument. */
export const readArguments = (args: string[]): string | undefined => {
  const { values } = parseArgs({
    args,
    options: {
      context: { type: 'string', short: 'c', default: 'stage=dev' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return undefined;
  const [, stage] = /^stage=(.+)$/.exec(values.context) ?? [];
  if (stage === undefined)
    throw new Error(`There is no context but \`-c stage=<stage>\`, not "${values.context}".`);
  return stage;
};
