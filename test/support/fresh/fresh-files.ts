import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

const onceAFile = join(import.meta.dirname, 'once-a-file.ts');

/** Lets test files share the modules of a worker: what the product makes once for a process is made once for a file. */
export const freshFiles = (): Plugin => ({
  name: 'fresh-files',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/shared/platform/once.ts')
      ? `export { once } from ${JSON.stringify(onceAFile)};`
      : undefined,
});
