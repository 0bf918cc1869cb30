export { addMember } from './add-member.ts';
export { createTeam } from './create-team.ts';
export { listMembers } from './list-members.ts';
export { listTeams } from './list-teams.ts';
export { removeMember } from './remove-member.ts';
export { guestLanguage, requireTeam, teamRead } from './team.store.ts';
export { updateTeam } from './update-team.ts';
export { hostContact } from './host-contact.ts';
