import * as z from 'zod';
import { uncompiled } from '../schema/uncompiled.ts';

/** The environment variables of every function. The cloud stack and the local service take the names from here. */
export const ServiceEnv = z.object({
  TABLE_NAME: z.string().min(1),
  /** `local` on a laptop; part of every API key. */
  STAGE: z.string().regex(/^[a-z0-9-]{1,32}$/),
});
export type ServiceEnv = z.infer<typeof ServiceEnv>;

/** Parses the environment. Throws an error that names every invalid variable and never a value, which may be a secret. */
export const readEnv = <Env extends z.ZodType>(
  schema: Env,
  environment: Record<string, string | undefined> = process.env,
): z.output<Env> => {
  const result = schema.safeParse(environment, uncompiled);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment is not as it must be. ${wrong.join('; ')}`);
};

/** Whether the service runs on a laptop, where local addresses may be called. */
export const isLocal = (): boolean => readEnv(ServiceEnv).STAGE === 'local';
