import type * as z from 'zod';
import type { ServiceEnv } from '../../shared/platform/env.ts';
import { resourceName, type Stage } from './stage.ts';

/** A function's variables as its schema reads them: a name that is missing or unknown does not compile. */
export type Variables<Schema> = {
  [Name in keyof z.input<Schema>]: Extract<z.input<Schema>[Name], string>;
};

type Undeclared = Record<'POWERTOOLS_SERVICE_NAME', string>;

/** What every function is told. */
export const serviceVariables = (
  stage: Stage,
  folder: string,
): Variables<typeof ServiceEnv> & Undeclared => ({
  TABLE_NAME: resourceName(stage),
  STAGE: stage.name,
  POWERTOOLS_SERVICE_NAME: folder.slice(folder.lastIndexOf('/') + 1),
});
