import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { samEnvironment } from '../infra/local/sam-environment.ts';

/** `npm run sam:env -- [--host host.docker.internal]`: writes `.local/sam-env.json` for `sam local invoke --env-vars`. */
const { values } = parseArgs({ options: { host: { type: 'string' } } });
const localDir = process.env['LOCAL_DIR'] ?? '.local';
const file = join(localDir, 'sam-env.json');
try {
  writeFileSync(file, samEnvironment(localDir, values.host));
  console.log(`Wrote ${file}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
