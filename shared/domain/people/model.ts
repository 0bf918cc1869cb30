export { type CustomerNames, namesOf } from './customer-name.rules.ts';
export type { AccountClaims } from './account-look.rules.ts';
export { KeySettings } from './key.schema.ts';
export {
  ApiKeyEntity,
  ApiKeyIdEntity,
  PartnerKeyEntity,
  partnerTeams,
  partnerTeamsNow,
  requireKey,
  TeamKeyEntity,
} from './key.store.ts';
export { LoginFailuresEntity } from './login-failures.store.ts';
export { PasswordMailsEntity, VerificationMailsEntity } from './mail-allowance.store.ts';
export { HostRole, TeamName, TeamRecord } from './team.schema.ts';
export { guestLanguage, readTeamsAfter, requireTeam, TeamEntity, teamRead } from './team.store.ts';
export { Email, Language, UserRecord } from './user.schema.ts';
export {
  EmailOwnerEntity,
  MembershipEntity,
  readNames,
  readUser,
  SignedOutTokenEntity,
  SubjectEntity,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';
