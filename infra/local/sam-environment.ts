import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentName } from './environment.ts';

const loopback = /\b(?:127\.0\.0\.1|localhost)\b/g;

/** Returns the variables of the running service's functions. */
export const readEnvironment = (localDir: string): Record<string, string> => {
  const file = join(localDir, environmentName);
  if (!existsSync(file)) throw new Error(`There is no ${file}: is \`npm start\` running?`);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
};

/**
 * Returns the variables of the running service's functions as `sam local invoke --env-vars` reads them. A container reaches the
 * service under the name of its host.
 */
export const samEnvironment = (localDir: string, host?: string): string => {
  const reached = Object.entries(readEnvironment(localDir)).map(([name, value]) => [
    name,
    host === undefined ? value : value.replace(loopback, host),
  ]);
  return `${JSON.stringify({ Parameters: Object.fromEntries(reached) as object }, null, 2)}\n`;
};
