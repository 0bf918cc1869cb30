import { createHmac } from 'node:crypto';
import { grantOf } from '../../infra/cloud/grants.ts';
import { createSealing, type KeyedHash, type Sealing } from '../../shared/platform/data-key/sealing.ts';
import { runningFunction } from './rights/as-function.ts';

/** The key of tests as functions read it: `DATA_KEY`. */
export const testDataKey = 'A'.repeat(43);

export const testKeeper: KeyedHash = async (text) =>
  createHmac('sha256', Buffer.from(testDataKey, 'base64url')).update(text).digest();

const sealing = createSealing([testKeeper], 'test');

/** Returns the sealing of tests. A function whose role may not use the key is refused. */
export const testSealing = (): Sealing => {
  const folder = runningFunction();
  if (folder !== undefined && !grantOf(folder).sealed)
    throw new Error(`functions/${folder} may not use the data key: see infra/cloud/grants.ts`);
  return sealing;
};
