import type * as z from 'zod';
import type { ServiceEnv } from '../../shared/platform/env.ts';
import { resourceName, type Stage } from './stage.ts';

/** The variables of a function, typed by its schema: a missing or unknown name does not compile. */
export type Variables<Schema> = {
  [Name in keyof z.input<Schema>]: Extract<z.input<Schema>[Name], string>;
};

type Undeclared = Record<'POWERTOOLS_SERVICE_NAME', string>;

/** Returns the variables of every function. */
export const serviceVariables = (
  stage: Stage,
  folder: string,
): Variables<typeof ServiceEnv> & Undeclared => ({
  TABLE_NAME: resourceName(stage),
  STAGE: stage.name,
  POWERTOOLS_SERVICE_NAME: folder.slice(folder.lastIndexOf('/') + 1),
});

/** Returns the variable of the functions behind the gateway that browser origins are compared with. */
export const originVariables = ({ origins: { listed } }: Stage): Record<string, string> =>
  listed.length === 0 ? {} : { CORS_ORIGINS: listed.join(',') };
