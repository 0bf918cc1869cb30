import type { SystemCaller } from '../../platform/auth.ts';

/** The actor of changes by the operator's tool. */
export const operator: SystemCaller = { kind: 'system', name: 'operator' };
