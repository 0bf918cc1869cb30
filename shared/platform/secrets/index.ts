export { fixedSecret, keptSecret, type Secret } from './secret.ts';
export { secretReader } from './secrets-manager.ts';
