// Before a script of package.json: says what to do where nothing is installed yet, instead of a stack trace.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (!existsSync(fileURLToPath(new URL('../node_modules/.package-lock.json', import.meta.url)))) {
  console.error('Nothing is installed yet. Run `npm install` first.');
  process.exit(1);
}
