import * as z from 'zod';
import { ServiceEnv } from '../env.ts';
import { once } from '../once.ts';

/** The key from which the data keys are made: one of KMS, or a variable on a laptop. The schema is created at its first use. */
export const DataKeyEnv = once(() =>
  z
    .object({
      STAGE: ServiceEnv.shape.STAGE,
      /** The ARN or alias of an HMAC key of KMS. */
      DATA_KEY_ID: z.string().min(1).optional(),
      /** 32 bytes, base64url. */
      DATA_KEY: z
        .string()
        .regex(/^[\w-]{43}$/)
        .optional(),
      /** The number of the data key that encrypts. */
      DATA_KEY_NUMBER: z.coerce.number().int().min(1).max(255).default(1),
    })
    .refine(({ DATA_KEY_ID, DATA_KEY }) => (DATA_KEY_ID ?? DATA_KEY) !== undefined, {
      path: ['DATA_KEY_ID'],
      error: 'is required, or DATA_KEY',
    })
    .refine(({ STAGE, DATA_KEY }) => DATA_KEY === undefined || ['local', 'test'].includes(STAGE), {
      path: ['DATA_KEY'],
      error: 'is of a laptop alone',
    }),
);
export type DataKeyEnv = z.infer<ReturnType<typeof DataKeyEnv>>;
