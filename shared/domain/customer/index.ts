export { adoptAccount, findOrCreateUser } from './find-or-create-user.ts';
export { findOrInviteUser } from './find-or-invite-user.ts';
export { getMe } from './get-me.ts';
export { type Membership } from './membership.entity.ts';
export { endMembership, grantMembership, type Member, readMembers } from './membership.store.ts';
export { promoteUser } from './promote-user.ts';
export { refreshVerification, requireVerified, withFreshVerification } from './refresh-verification.ts';
export { updateMe } from './update-me.ts';
export { type User } from './user.entity.ts';
export {
  readUser,
  readUserByEmail,
  readUserBySubject,
  toUserRecord,
  type UserWithTeams,
} from './user.store.ts';
