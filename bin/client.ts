import { join } from 'node:path';
import { projectRoot } from '../infra/bundling.ts';
import { buildClient } from '../infra/client/build.ts';

/** `npm run client`: builds the package `@nightlatch/client` into `client/dist`. */
await buildClient(join(projectRoot, 'client/dist'));
