import * as z from 'zod';
import { ServiceEnv } from '../environment/env.ts';
import { once } from '../once.ts';

/** The keys from which the data keys are made: those of KMS, or a variable on a laptop. The schema is created at its first use. */
export const DataKeyEnv = once(() =>
  z
    .object({
      STAGE: ServiceEnv.shape.STAGE,
      /** ARNs or aliases of HMAC keys of KMS, separated by commas; the last one encrypts. */
      DATA_KEY_IDS: z.string().min(1).optional(),
      /** 32 bytes, base64url. */
      DATA_KEY: z
        .string()
        .regex(/^[\w-]{43}$/)
        .optional(),
    })
    .refine(
      ({ STAGE, DATA_KEY_IDS, DATA_KEY }) => DATA_KEY_IDS ?? (DATA_KEY && /^(local|test)$/.test(STAGE)),
      {
        path: ['DATA_KEY_IDS'],
        error: 'is required, or DATA_KEY on a laptop',
      },
    ),
);
export type DataKeyEnv = z.infer<ReturnType<typeof DataKeyEnv>>;
