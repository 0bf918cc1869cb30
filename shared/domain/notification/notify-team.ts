import type { EventOf } from '../../events.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import type { Role } from '../../platform/auth.ts';
import type { Table } from '../../platform/table/index.ts';
import { requireKey, TeamEntity, UserEntity } from '../people/model.ts';
import { type Fact, renderMail } from './mail-layout.ts';
import { notifyTeamMembers, type TeamMember } from './notify-people.ts';
import type { NotificationDependencies } from './send-once.ts';
import { roleWords } from './words/role-words.ts';

type TeamChange =
  | 'team.member_joined'
  | 'team.member_role_changed'
  | 'team.member_removed'
  | 'team.key_created'
  | 'team.key_rotated'
  | 'team.bank_account_changed'
  | 'team.transfer_reports_changed';

interface Words {
  subjects: Record<TeamChange, (team: string) => string>;
  greeting: (name: string) => string;
  paragraph: string;
  accountParagraph: string;
  stopped: string;
  reportsParagraph: string;
  noReports: string;
  labels: Record<
    'team' | 'person' | 'key' | 'role' | 'before' | 'account' | 'from' | 'reporter' | 'by',
    string
  >;
  operator: string;
  footer: string;
}

const words: Record<WrittenLanguage, Words> = {
  vi: {
    subjects: {
      'team.member_joined': (team) => `Thành viên mới: ${team}`,
      'team.member_role_changed': (team) => `Thay đổi vai trò: ${team}`,
      'team.member_removed': (team) => `Thành viên đã bị đưa ra khỏi nhóm: ${team}`,
      'team.key_created': (team) => `Khóa API mới: ${team}`,
      'team.key_rotated': (team) => `Khóa API đã được thay: ${team}`,
      'team.bank_account_changed': (team) => `Tài khoản nhận tiền thay đổi: ${team}`,
      'team.transfer_reports_changed': (team) => `Báo cáo chuyển khoản thay đổi: ${team}`,
    },
    greeting: (name) => `Xin chào ${name},`,
    paragraph:
      'Quyền truy cập vào nhóm của bạn đã thay đổi. Nếu bạn không biết về việc này, hãy kiểm tra thành viên và khóa của nhóm ngay.',
    accountParagraph:
      'Khách của nhóm sẽ chuyển tiền vào tài khoản này kể từ thời điểm dưới đây. Nếu bạn không biết về việc này, hãy dừng lại ngay và kiểm tra thành viên của nhóm.',
    stopped: 'Tài khoản mới đã bị dừng',
    reportsParagraph:
      'Ai giữ khóa mới có thể báo rằng một đặt phòng đã được thanh toán. Nếu bạn không biết về việc này, hãy tạo lại khóa ngay, dừng các khóa trước đó (end_old_secret) và kiểm tra thành viên của nhóm.',
    noReports: 'không nhận nữa',
    labels: {
      team: 'Nhóm',
      person: 'Thành viên',
      key: 'Khóa',
      role: 'Vai trò',
      before: 'Vai trò trước đó',
      account: 'Tài khoản',
      from: 'Có hiệu lực (UTC)',
      reporter: 'Nguồn báo cáo',
      by: 'Người thực hiện',
    },
    operator: 'Ban vận hành Nightlatch',
    footer: 'Thư này được gửi cho các chủ sở hữu của nhóm.',
  },
  en: {
    subjects: {
      'team.member_joined': (team) => `New member: ${team}`,
      'team.member_role_changed': (team) => `A role has changed: ${team}`,
      'team.member_removed': (team) => `A member was taken out: ${team}`,
      'team.key_created': (team) => `New API key: ${team}`,
      'team.key_rotated': (team) => `An API key was replaced: ${team}`,
      'team.bank_account_changed': (team) => `Another bank account: ${team}`,
      'team.transfer_reports_changed': (team) => `Reports of bank transfers: ${team}`,
    },
    greeting: (name) => `Hello ${name},`,
    paragraph:
      'Who has access to your team has changed. If you do not know of it, look at the members and keys of the team now.',
    accountParagraph:
      'Guests of your team will transfer money to this account from the time below on. If you do not know of it, stop it now and look at the members of the team.',
    stopped: 'The next account was stopped',
    reportsParagraph:
      'Who has the new key can report that a booking is paid. If you do not know of it, make the key anew now, end the keys before at once (end_old_secret) and look at the members of the team.',
    noReports: 'not taken any more',
    labels: {
      team: 'Team',
      person: 'Member',
      key: 'Key',
      role: 'Role',
      before: 'Role before',
      account: 'Account',
      from: 'From (UTC)',
      reporter: 'Reporter',
      by: 'Changed by',
    },
    operator: 'The operator of Nightlatch',
    footer: 'This mail goes to the owners of the team.',
  },
};

/** What a mail says of a change, without words. */
interface Change {
  type: TeamChange;
  team: string;
  /** Name and address of the member. */
  person?: string;
  /** Name and first characters of the key. */
  key?: string;
  role?: Role;
  before?: Role;
  /** The next bank account of guests; null: it was stopped. */
  account?: string | null;
  from?: string;
  /** Who reports transfers, and whether the team takes it. */
  reporter?: string;
  is_taken?: boolean;
  /** Who did it; undefined: the operator. */
  by: string | undefined;
}

const paragraphOf = (
  { paragraph, accountParagraph, reportsParagraph }: Words,
  { account, is_taken }: Change,
): string => {
  if (is_taken) return reportsParagraph;
  return account ? accountParagraph : paragraph;
};

const changeMail = ({ email, full_name, language }: TeamMember, change: Change): Mail => {
  const { subjects, greeting, stopped, noReports, labels, operator, footer } = words[language];
  const role = (given: Role | undefined) => given && roleWords[language][given];
  const facts: [string, string | undefined][] = [
    [labels.team, change.team],
    [labels.person, change.person],
    [labels.key, change.key],
    [labels.role, role(change.role)],
    [labels.before, role(change.before)],
    [labels.account, change.account === null ? stopped : change.account],
    [labels.from, change.from],
    [labels.reporter, change.is_taken === false ? `${change.reporter} (${noReports})` : change.reporter],
    [labels.by, change.by ?? operator],
  ];
  return renderMail(email, {
    language,
    subject: subjects[change.type](change.team),
    greeting: greeting(full_name),
    paragraphs: [paragraphOf(words[language], change)],
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== undefined) satisfies Fact[],
    footer,
  });
};

const personText = async (table: Table, userId: number): Promise<string> => {
  const user = await table.get(UserEntity, { user_id: userId });
  return user ? `${user.full_name} (${user.email})`.trim() : String(userId);
};

const userIn = (actor: string): number | undefined => {
  const [, id] = /^user:(\d+)$/.exec(actor) ?? [];
  return id === undefined ? undefined : Number(id);
};

const keyText = async (table: Table, keyId: number): Promise<string> => {
  const { name, hint } = await requireKey(table, keyId);
  return name === null ? hint : `${name} (${hint}…)`;
};

const isOfKey = (type: TeamChange): boolean => type === 'team.key_created' || type === 'team.key_rotated';
const isOfMember = (type: TeamChange): boolean => type.startsWith('team.member_');

const subjectText = async (table: Table, type: TeamChange, id: number): Promise<string> => {
  if (isOfKey(type)) return keyText(table, id);
  return isOfMember(type) ? personText(table, id) : '';
};

const accountOf = ({
  account = null,
  effective_at: from,
}: {
  account?: string | null;
  effective_at?: string | null;
}): Pick<Change, 'account' | 'from'> => ({
  account,
  ...(from ? { from: from.slice(0, 16).replace('T', ' ') } : {}),
});

/** Returns what the event says, with the names that it does not have. */
const readChange = async (
  table: Table,
  { event_type: type, data, actor }: EventOf<TeamChange>,
  teamId: number,
): Promise<Change> => {
  const by = userIn(actor);
  const [team, who, subject] = await Promise.all([
    table.get(TeamEntity, { team_id: teamId }),
    by === undefined ? undefined : personText(table, by),
    subjectText(table, type, data.id),
  ]);
  return {
    ...{ type, team: team?.name ?? String(teamId), by: who },
    ...(isOfKey(type) ? { key: subject } : {}),
    ...(isOfMember(type) ? { person: subject } : {}),
    ...('account' in data ? accountOf(data) : {}),
    ...('reporter' in data ? { reporter: data.reporter, is_taken: data.is_taken } : {}),
    ...('role' in data && data.role !== 'ADMIN' ? { role: data.role } : {}),
    ...('role_before' in data ? { before: data.role_before } : {}),
  };
};

/**
 * Mails the owners of a team once that its members or keys have changed, but for the one who did it (D105); of another bank account
 * or reporter that one too, who may be a thief with the session of the owner (D130).
 */
export const notifyTeam = async (
  deps: NotificationDependencies,
  event: EventOf<TeamChange>,
): Promise<void> => {
  const { id, team_id, actor } = event;
  if (team_id === null) return;
  const change = await readChange(deps.table, event, team_id);
  const isOfMoney = 'account' in change || 'reporter' in change;
  const except = isOfMoney ? undefined : userIn(actor);
  await notifyTeamMembers(deps, { event_id: id, team_ids: [team_id], except }, (owner) =>
    changeMail(owner, change),
  );
};
