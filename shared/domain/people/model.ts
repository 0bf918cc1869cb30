export { hasAccepted, type PresentedToken } from './acceptance.rules.ts';
export { FirstPasswordEntity } from './first-password.store.ts';
export {
  type Invitation,
  InvitationEntity,
  invitationEnd,
  InvitationSecretEntity,
  secretHash,
} from './invitation.store.ts';
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
export {
  InvitationMailsEntity,
  PasswordMailsEntity,
  VerificationMailsEntity,
} from './mail-allowance.store.ts';
export { LoginFailuresEntity } from './login-failures.store.ts';
export { HostRole, TeamName } from './team.schema.ts';
export {
  guestLanguage,
  memberEventsOf,
  readTeamsAfter,
  requireTeam,
  type Team,
  TeamEntity,
  teamPartition,
  teamRead,
} from './team.store.ts';
export { Email, Language, UserRecord } from './user.schema.ts';
export {
  adminAcceptance,
  EmailOwnerEntity,
  MembershipEntity,
  readNames,
  readUser,
  readUserByEmail,
  SignedOutTokenEntity,
  SubjectEntity,
  type User,
  UserEntity,
  type UserWithTeams,
} from './user.store.ts';
