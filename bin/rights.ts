import { writeFileSync } from 'node:fs';
import { rightsFile, rightsText } from '../infra/cloud/table-rights.ts';
import { tableReach } from '../infra/rights/table-reach.ts';

/** `npm run rights`: writes the table rights of each function, from its source. */
writeFileSync(rightsFile, rightsText(tableReach()));
