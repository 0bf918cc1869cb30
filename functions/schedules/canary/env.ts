import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/environment/env.ts';

/** The environment of the canary, which reads no table. */
export const CanaryEnv = ServiceEnv.pick({ STAGE: true }).extend({
  /** The address of the API, as partners call it. */
  API_URL: z.url({ protocol: /^https$/ }),
  CANARY_LISTING_ID: z.string().regex(/^\d{1,16}$/),
  CANARY_SECRET_ARN: z.string().min(1),
});
export type CanaryEnv = z.infer<typeof CanaryEnv>;
