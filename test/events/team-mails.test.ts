import { beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { getInvitation } from '../../shared/domain/people/invitations.ts';
import { createKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { addMember, removeMember } from '../../shared/domain/people/members.ts';
import { promoteUser } from '../../shared/domain/people/promote-user.ts';
import { createTeamKey, rotateTeamKey } from '../../shared/domain/people/team-keys.ts';
import { removeTeamMember, setTeamMember } from '../../shared/domain/people/team-members.ts';
import { memberEventsOf } from '../../shared/domain/people/team.store.ts';
import {
  removeReports,
  setBankAccount,
  setReports,
  stopBankAccount,
} from '../../shared/domain/transfer/index.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import { apiAddress, freshEmail, joinTeam, secretIn, teamMails, testPerson } from '../support/invitations.ts';
import { tableDump } from '../support/table-dump.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let team_id: number;
let mai: Awaited<ReturnType<typeof testUser>>;
let minh: Awaited<ReturnType<typeof testUser>>;
beforeEach(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps, { name: 'Hoa Nắng' }));
  const memberships = [{ team_id, role: 'OWNER' as const }];
  mai = await testUser(deps, { full_name: 'Trần Thị Mai', memberships });
  minh = await testUser(deps, { full_name: 'Phạm Văn Minh', language: 'en', memberships });
  await testUser(deps, { memberships: [{ team_id, role: 'MANAGER' }] });
});

const asMai = () => testContext(deps, mai.caller);
const invite = (email: string) => setTeamMember(asMai(), { email, role: 'MANAGER' }, apiAddress);
const settings = {
  ...{ scopes: ['read'], allow_ip: [], expires_at: null, rate_limit: null, collects_payment: false },
} as const;
const secretText = (mail: Mail | undefined) => secretIn(mail);

describe('an invited address', () => {
  it('gets team, role, who invites and a link, in the language of its account or of the team', async () => {
    const { email } = await testPerson(deps, { language: 'en' });
    await invite(email);
    const [mail] = await teamMails(deps, team_id);
    expect(mail).toMatchObject({ to: email, subject: 'Invitation to a team: Hoa Nắng' });
    for (const text of [
      `https://api.example.com/invitation#${secretText(mail)}`,
      'Role: Manager',
      'Invited by: Trần Thị Mai',
      '2027-01-22 03:00',
    ])
      expect(mail?.text).toContain(text);
    const other = freshEmail();
    await addMember(deps, { team_id, email: other, role: 'OWNER', api_url: apiAddress });
    const [vietnamese] = await teamMails(deps, team_id);
    expect(vietnamese?.subject).toBe('Lời mời vào nhóm: Hoa Nắng');
    expect(vietnamese?.text).toContain('Người mời: Ban vận hành Nightlatch');
  });

  it('gets a secret that no record and no event has, one mail for each invitation', async () => {
    const email = freshEmail();
    await invite(email);
    const [mail, ...more] = await teamMails(deps, team_id);
    expect(more).toEqual([]);
    expect(await teamMails(deps, team_id)).toEqual([]);
    expect(JSON.stringify([...(await tableDump())])).not.toContain(secretText(mail));
    expect(Buffer.from(secretText(mail), 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  it('gets a new secret in place of the one before when the mail failed', async () => {
    const email = freshEmail();
    await invite(email);
    const sent: Mail[] = [];
    const events = await eventsOf(deps.table, memberEventsOf(team_id));
    const failing = notificationWorker(() => ({
      ...deps,
      mailer: {
        send: async (mail) => {
          sent.push(mail);
          throw new Error('no answer');
        },
      },
    }));
    expect((await failing(queueEvent(...events))).batchItemFailures).toHaveLength(1);
    const [again] = await teamMails(deps, team_id);
    const look = (mail: Mail | undefined) => getInvitation(asMai(), secretText(mail));
    await expect(look(sent[0])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await look(again)).toMatchObject({ role: 'MANAGER' });
  });

  it('gets no mail of an invitation that has ended or was withdrawn', async () => {
    const email = freshEmail();
    await invite(email);
    await removeMember(deps, { team_id, email });
    expect(await teamMails(deps, team_id)).toEqual([]);
    await invite(email);
    deps.clock.advance(8 * 86_400_000);
    expect(await teamMails(deps, team_id)).toEqual([]);
  });

  it('reads that it is the staff of the platform to which the operator invites', async () => {
    const email = freshEmail();
    await promoteUser(deps, { email, role: 'ADMIN', api_url: apiAddress });
    const mail = (await teamMails(deps, null)).find(({ to }) => to === email);
    expect(mail?.subject).toBe('Lời mời vào nhóm: Ban vận hành Nightlatch');
    expect(mail?.text).toContain('Vai trò: Quản trị viên');
  });
});

describe('the other owners of a team', () => {
  const minhGets = async (subject: string, ...texts: string[]): Promise<void> => {
    const mails = await teamMails(deps, team_id);
    expect(mails.map(({ to }) => to)).toEqual([minh.user.email]);
    expect(mails[0]?.subject).toBe(subject);
    for (const text of texts) expect(mails[0]?.text).toContain(text);
  };

  it('get mails of a new member, of another role and of a removal', async () => {
    const person = await testPerson(deps, { full_name: 'Lý Thu' });
    const { email } = person;
    await joinTeam(deps, person, { team_id, role: 'STAFF' });
    const joined = await teamMails(deps, team_id);
    expect(joined.map(({ to }) => to).sort()).toEqual([mai.user.email, minh.user.email].sort());
    expect(joined.find(({ to }) => to === minh.user.email)).toMatchObject({
      subject: 'New member: Hoa Nắng',
      text: expect.stringContaining(`Member: Lý Thu (${email})`) as string,
    });
    await setTeamMember(asMai(), { email, role: 'OWNER' }, apiAddress);
    const changed = await teamMails(deps, team_id);
    expect(changed.map(({ to }) => to).sort()).toEqual([email, minh.user.email].sort());
    expect(changed.find(({ to }) => to === minh.user.email)?.text).toMatch(
      /Role: Owner\nRole before: Staff\nChanged by: Trần Thị Mai/,
    );
    await setTeamMember(asMai(), { email, role: 'OWNER' }, apiAddress);
    expect(await teamMails(deps, team_id)).toEqual([]);
    await removeTeamMember(asMai(), person.user.user_id);
    await minhGets('A member was taken out: Hoa Nắng', 'Lý Thu', 'Role: Owner');
  });

  it('get mails of a removal by the operator', async () => {
    const { user } = await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] });
    await removeMember(deps, { team_id, email: user.email });
    const mails = await teamMails(deps, team_id);
    expect(mails).toHaveLength(2);
    expect(mails.find(({ to }) => to === minh.user.email)?.text).toContain(
      'Changed by: The operator of Nightlatch',
    );
  });

  it('get mails of new and rotated keys, of owners and of the operator', async () => {
    const key = await createTeamKey(asMai(), 'test', {
      ...settings,
      scopes: ['read'],
      allow_ip: [],
      name: 'Prices',
    });
    await minhGets('New API key: Hoa Nắng', `Key: Prices (${key.hint}…)`);
    await rotateTeamKey(asMai(), 'test', key.key_id);
    await minhGets('An API key was replaced: Hoa Nắng', 'Key: Prices');
    const other = await testTeam(deps);
    const { key_id } = await createKey(deps, 'test', {
      ...settings,
      ...{ scopes: ['read'], allow_ip: [], team_ids: [team_id, other.team_id], name: null },
    });
    expect(await teamMails(deps, team_id)).toHaveLength(2);
    await rotateKey(deps, 'test', { key_id, overlapHours: null });
    expect(await teamMails(deps, team_id)).toHaveLength(2);
    expect(await teamMails(deps, other.team_id)).toEqual([]);
  });
});

describe('all owners of a team, the one who did it too,', () => {
  const bothGet = async (subject: string, ...texts: string[]): Promise<void> => {
    const mails = await teamMails(deps, team_id);
    expect(mails.map(({ to }) => to).sort()).toEqual([mai.user.email, minh.user.email].sort());
    const { subject: said, text } = mails.find(({ to }) => to === minh.user.email)!;
    expect(said).toBe(`${subject}: Hoa Nắng`);
    for (const one of [...texts, 'Changed by: Trần Thị Mai']) expect(text).toContain(one);
    expect(text).not.toContain('0071000123456');
  };

  it('get mails of another bank account, and of one that was stopped', async () => {
    const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };
    await setBankAccount(asMai(), account);
    await bothGet('Another bank account', 'Account: Vietcombank …3456', 'From (UTC): 2027-01-16 03:00');
    await stopBankAccount(asMai());
    await bothGet('Another bank account', 'Account: The next account was stopped');
  });

  it('get mails of a key that signs reports of transfers, and of its end', async () => {
    await setReports(asMai(), 'sepay', {}, apiAddress);
    await bothGet('Reports of bank transfers', 'Reporter: sepay\n', 'can report that a booking is paid');
    await removeReports(asMai(), 'sepay');
    await bothGet('Reports of bank transfers', 'Reporter: sepay (not taken any more)');
  });
});
