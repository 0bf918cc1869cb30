export { authenticateKey, type KeyAttempt } from './authenticate-key.ts';
export { createKey, type IssuedKey } from './create-key.ts';
export { listKeys } from './list-keys.ts';
export { partnerTeams, partnerTeamsNow } from './partner-teams.ts';
export { revokeKey } from './revoke-key.ts';
export { rotateKey, type RotatedKey } from './rotate-key.ts';
