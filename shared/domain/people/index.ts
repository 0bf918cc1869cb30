export { acceptInvitation } from './accept-invitation.ts';
export { authenticateKey } from './authenticate-key.ts';
export { blockUser, type PersonRef, requirePerson, unblockUser } from './block-user.ts';
export { customerNamesOf } from './customer-names.ts';
export {
  getCustomer,
  listCustomers,
  readEmailVerification,
  readLoginStatus,
  removeCustomer,
  resendVerification,
} from './customers.ts';
export { findOrCreateUser } from './find-or-create-user.ts';
export { getInvitation, requestInvitedReset } from './invitations.ts';
export { PublishableKeys } from './read-publishable-key.ts';
export { getStayTeam } from './stay-team.ts';
export { createKey, findKey, limitKey, listKeys, revokeKey, rotateKey } from './keys.ts';
export { getMe, updateMe } from './me.ts';
export {
  addMember,
  guestContact,
  type HostContact,
  hostContact,
  listInvitations,
  listMembers,
  removeMember,
} from './members.ts';
export { whileOwner } from './team-owner.ts';
export { requestPasswordReset } from './password-reset.ts';
export { promoteUser } from './promote-user.ts';
export { registerCustomer } from './register-customer.ts';
export { readInvitation, renewSecret } from './renew-secret.ts';
export { isLoggedOut, logInCustomer, logOut } from './sessions.ts';
export { createTeamKey, listTeamKeys, revokeTeamKey, rotateTeamKey } from './team-keys.ts';
export { listTeamMembers, removeTeamMember, setTeamMember } from './team-members.ts';
export { tokenHash } from './token-hash.ts';
export { signUpTeam } from './sign-up-team.ts';
export { changeTeam, getTeam } from './team-settings.ts';
export { createTeam, listTeams, updateTeam } from './teams.ts';
export { updateCustomer } from './update-customer.ts';
export { requireVerified, withFreshVerification } from './verify-email.ts';
