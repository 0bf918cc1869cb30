import { createHmac } from 'node:crypto';
import type { Dependencies } from '../context.ts';
import type { JsonRequestOptions } from '../aws/json-request.ts';
import { DataKeyEnv } from '../data-key/env.ts';
import { kmsHash } from '../data-key/kms-hash.ts';
import { createSealing, type Sealing } from '../data-key/sealing.ts';
import { readEnv } from './env.ts';
import { once } from '../once.ts';

type Variables = Record<string, string | undefined>;

/** Returns what makes the sealing of given variables, once. */
export const sealingFrom = (variables: () => Variables, request?: JsonRequestOptions): (() => Sealing) =>
  once(() => {
    const { STAGE, DATA_KEY_IDS, DATA_KEY = '' } = readEnv(DataKeyEnv(), variables());
    const own = Buffer.from(DATA_KEY, 'base64url');
    const local = async (text: string) => createHmac('sha256', own).update(text).digest();
    const keepers = DATA_KEY_IDS?.split(',').map((id) => kmsHash(id, request)) ?? [local];
    return createSealing(keepers, STAGE);
  });

const sealing = sealingFrom(() => process.env);

/** Adds the data key to the dependencies of a function that shows or sends what is encrypted (D140). */
export const withSealing =
  <Given extends Dependencies>(environment: () => Given) =>
  (): Given => ({ ...environment(), sealing });
