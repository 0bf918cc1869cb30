import type { EventOf } from '../../events.ts';
import { runOnce } from '../../platform/events/run-once.ts';
import { type WrittenLanguage, writtenLanguage } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { readInvitation, renewSecret } from '../people/index.ts';
import { guestLanguage, type Invitation, readNames, readUserByEmail, TeamEntity } from '../people/model.ts';
import { renderMail } from './mail-layout.ts';
import type { NotificationDependencies } from './send-once.ts';
import { roleWords } from './words/role-words.ts';

interface Words {
  subject: (team: string) => string;
  greeting: string;
  paragraphs: readonly string[];
  action: string;
  labels: Record<'team' | 'role' | 'by' | 'until', string>;
  staff: string;
  operator: string;
  footer: string;
}

const words: Record<WrittenLanguage, Words> = {
  vi: {
    subject: (team) => `Lời mời vào nhóm: ${team}`,
    greeting: 'Xin chào,',
    paragraphs: [
      'Bạn được mời vào một nhóm trên Nightlatch. Bạn chỉ có quyền sau khi đăng nhập bằng địa chỉ này và chấp nhận.',
      'Liên kết dùng được một lần, chỉ dành cho bạn. Nếu bạn không quen biết người mời, hãy bỏ qua thư này.',
    ],
    action: 'Xem lời mời',
    labels: { team: 'Nhóm', role: 'Vai trò', by: 'Người mời', until: 'Hạn chấp nhận (UTC)' },
    staff: 'Ban vận hành Nightlatch',
    operator: 'Ban vận hành Nightlatch',
    footer: 'Thư này được gửi vì có người mời địa chỉ này vào một nhóm trên Nightlatch.',
  },
  en: {
    subject: (team) => `Invitation to a team: ${team}`,
    greeting: 'Hello,',
    paragraphs: [
      'You are invited to a team on Nightlatch. You have no right there before you sign in with this address and accept.',
      'The link works once, and is for you alone. If you do not know who invites you, ignore this mail.',
    ],
    action: 'See the invitation',
    labels: { team: 'Team', role: 'Role', by: 'Invited by', until: 'Accept before (UTC)' },
    staff: 'Staff of Nightlatch',
    operator: 'The operator of Nightlatch',
    footer: 'This mail was sent because this address was invited to a team on Nightlatch.',
  },
};

interface Invited {
  language: WrittenLanguage;
  /** Undefined: the platform's staff. */
  team: string | undefined;
  /** Undefined: the operator. */
  by: string | undefined;
}

const invitationMail = (
  { email, role, api_url, valid_until }: Invitation,
  { language, team, by }: Invited,
  secret: string,
): Mail => {
  const { subject, greeting, paragraphs, action, labels, staff, operator, footer } = words[language];
  return renderMail(email, {
    language,
    subject: subject(team ?? staff),
    greeting,
    paragraphs,
    // Behind the #, so that no log of a server has the secret.
    actions: [{ label: action, url: `${api_url}/invitation#${secret}` }],
    facts: [
      [labels.team, team ?? staff],
      [labels.role, roleWords[language][role]],
      [labels.by, by ?? operator],
      [labels.until, valid_until.slice(0, 16).replace('T', ' ')],
    ],
    footer,
  });
};

const readInvited = async (
  { table }: Pick<NotificationDependencies, 'table'>,
  { team_id, email, invited_by }: Invitation,
): Promise<Invited> => {
  const [team, names, holder] = await Promise.all([
    team_id === null ? undefined : table.get(TeamEntity, { team_id }),
    readNames(table, [invited_by]),
    readUserByEmail(table, email),
  ]);
  return {
    language: holder ? writtenLanguage(holder.user.language) : guestLanguage(team),
    team: team && nameInMail(team.name),
    by: invited_by === null ? undefined : nameInMail(names.get(invited_by) ?? ''),
  };
};

/**
 * Mails the link of an invitation while it is open (D105). Its secret is made here, so that no record, event or log has it; that
 * of a repeated message replaces the one before.
 */
export const notifyInvited = async (
  deps: NotificationDependencies,
  { id, data, team_id }: EventOf<'team.member_invited'>,
): Promise<void> => {
  const invitation = await readInvitation(deps, { id: data.id, team_id });
  if (!invitation) return;
  const invited = await readInvited(deps, invitation);
  const handling = { consumer: 'notification', event_id: id, recipient: `invitation:${data.id}` };
  await runOnce(deps, handling, async () => {
    const secret = await renewSecret(deps.table, invitation);
    if (secret !== undefined) await deps.mailer.send(invitationMail(invitation, invited, secret));
  });
};
