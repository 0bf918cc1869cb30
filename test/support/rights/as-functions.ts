import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

const entry = /\/functions\/((?:workers\/|schedules\/)?[a-z-]+)\/(?:index|authorize)\.ts$/;
const source = join(import.meta.dirname, 'as-function.ts');

/** Makes every function that tests import from `functions/` run under its own name: {@link runningFunction}. */
export const asFunctions = (): Plugin => ({
  name: 'as-functions',
  enforce: 'pre',
  transform: (code, id) => {
    const folder = entry.exec(id)?.[1];
    if (folder === undefined) return undefined;
    const names = [...code.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
    return [
      `import { asFunction as __as } from ${JSON.stringify(source)};`,
      code.replaceAll(/^export const /gm, 'export let '),
      ...names.map((name) => `${name} = __as('${folder}', ${name});`),
    ].join('\n');
  },
});
