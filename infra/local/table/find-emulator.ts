import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readLocalEnv } from '../settings.ts';

const findPackage = (): string | undefined => {
  const name = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/${name}`);
  } catch {
    return undefined;
  }
};

/** Returns the path of the emulator: `DYNOXIDE_PATH`, else its npm package for this platform. */
export const findEmulator = (): string => {
  const { DYNOXIDE_PATH: override } = readLocalEnv();
  const path = override ?? findPackage();
  if (path !== undefined && existsSync(path)) return path;
  throw new Error(
    `No DynamoDB emulator for ${process.platform}-${process.arch}` +
      `${override === undefined ? '' : ` at DYNOXIDE_PATH (${override})`}. ` +
      'Set AWS_ENDPOINT_URL_DYNAMODB to any DynamoDB endpoint (DynamoDB Local, or AWS), ' +
      'or DYNOXIDE_PATH to a dynoxide binary (https://github.com/nubo-db/dynoxide).',
  );
};
