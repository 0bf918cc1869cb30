export { getCustomer, readEmailVerification, readLoginStatus } from './get-customer.ts';
export { listCustomers } from './list-customers.ts';
export { isLoggedOut, logOut } from './log-out.ts';
export { logInCustomer } from './log-in-customer.ts';
export { registerCustomer } from './register-customer.ts';
export { removeCustomer } from './remove-customer.ts';
export { requestPasswordReset } from './request-password-reset.ts';
export { resendVerification } from './resend-verification.ts';
export { updateCustomer } from './update-customer.ts';
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
