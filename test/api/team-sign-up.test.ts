import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { invitations } from '../../functions/invitations/index.ts';
import { invitationsRoutes } from '../../functions/invitations/routes.ts';
import { readUser } from '../../shared/domain/people/user.store.ts';
import { memberEventsOf, TeamEntity } from '../../shared/domain/people/team.store.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { testPerson, type TestPerson } from '../support/invitations.ts';

let s: Api;
beforeAll(async () => {
  s = await api({ extra: (deps) => [{ group: invitationsRoutes, handler: invitations(() => deps) }] });
});

let person: TestPerson;
beforeEach(async () => {
  vi.stubEnv('TEAM_SIGN_UP', 'on');
  person = await testPerson(s.deps, { full_name: 'Trần Thị Hoa' });
  return () => void vi.unstubAllEnvs();
});

const seconds = (): number => Math.floor(machineClock.now() / 1000);
/** A token is the subject and when it was issued. */
const as = ({ caller }: TestPerson, claims: Record<string, unknown> = {}): Asked => ({
  token: caller.subject,
  claims: { iat: seconds(), ...claims },
});
const make = (asked: Asked = as(person), body: object = { name: 'Hoa Nắng' }): Promise<Reply> =>
  s.call('POST', '/api/v1/teams', { body, ...asked });
const teamOf = ({ body }: Reply) => body as { team_id: number; created_at: string };
const made = async () => (await readUser(s.deps.table, person.user.user_id))!;
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('POST /teams', () => {
  it('makes a team of which the caller is the owner, for this token and later ones', async () => {
    const [old, used] = [as(person, { iat: seconds() - 60 }), as(person, { iat: seconds() - 30 })];
    const settings = { name: 'Hoa Nắng', language: 'en', logo_url: null, default_refund_rule: 'STRICT' };
    const reply = await make(used, settings);
    expect(reply).toMatchObject({ status: 201, body: { ...settings, default_currency: null } });
    const { team_id } = teamOf(reply);
    const keys = async (who: Asked) => (await s.call('GET', '/api/v1/team/keys', who)).status;
    expect([await keys(used), await keys(as(person, { iat: seconds() + 5 })), await keys(old)]).toEqual([
      200, 200, 403,
    ]);
    expect((await s.call('GET', '/api/v1/team', used)).body).toEqual(reply.body);
    expect(await s.deps.table.get(TeamEntity, { team_id })).toEqual({
      ...{ team_id, name: 'Hoa Nắng', language: 'en', default_refund_rule: 'STRICT' },
      ...{ made_by: person.user.user_id, created_at: teamOf(reply).created_at },
    });
    const [event] = await eventsOf(s.deps.table, memberEventsOf(team_id));
    expect(event).toMatchObject({
      event_type: 'team.created',
      actor: `user:${person.user.user_id}`,
      data: { id: team_id, team_id },
    });
  });

  it('is FORBIDDEN where the operator makes teams, which is so by default', async () => {
    vi.stubEnv('TEAM_SIGN_UP', undefined);
    expect(await make()).toMatchObject(refused(403, 'FORBIDDEN'));
    vi.stubEnv('TEAM_SIGN_UP', 'off');
    expect(await make()).toMatchObject(refused(403, 'FORBIDDEN'));
  });

  it('takes tokens of hosts alone: FORBIDDEN for an application for guests, MFA_REQUIRED without a second factor', async () => {
    expect(await make(as(person, { azp: 'guests' }))).toMatchObject(refused(403, 'FORBIDDEN'));
    expect(await make(as(person, { amr: ['pwd'] }))).toMatchObject(refused(403, 'MFA_REQUIRED'));
    expect((await made()).memberships).toEqual([]);
  });

  it('takes an address that the provider has verified: USER_NOT_VERIFIED', async () => {
    const { subject } = person.caller;
    s.deps.provider.add({ subject, email: person.email, email_verified: false });
    expect(await make()).toMatchObject(refused(403, 'USER_NOT_VERIFIED'));
    s.deps.provider.add({ subject, email: person.email });
    expect((await make()).status).toBe(201);
  });

  it('takes no account with a password that a partner chose: PASSWORD_RESET_REQUIRED', async () => {
    person = await testPerson(s.deps, { first_password_by: 'key:7' });
    expect(await make()).toMatchObject(refused(403, 'PASSWORD_RESET_REQUIRED'));
    const { subject } = person.caller;
    const last_password_reset = new Date((seconds() - 5) * 1000).toISOString();
    s.deps.provider.add({ subject, email: person.email, last_password_reset });
    expect((await make()).status).toBe(201);
  });

  it('waits for the identity provider: IDENTITY_PROVIDER_UNAVAILABLE, and UNAUTHORIZED for an account that it has not', async () => {
    s.deps.provider.isDown = true;
    expect(await make()).toMatchObject(refused(502, 'IDENTITY_PROVIDER_UNAVAILABLE'));
    s.deps.provider.isDown = false;
    s.deps.provider.accounts.delete(person.caller.subject);
    expect(await make()).toMatchObject(refused(401, 'UNAUTHORIZED'));
  });

  it('makes three teams of a person, left ones included: then INVALID_STATE_TRANSITION', async () => {
    const ids: number[] = [];
    for (let times = 0; times < 3; times++) {
      const reply = await make();
      expect(reply.status).toBe(201);
      ids.push(teamOf(reply).team_id);
    }
    expect(await make()).toMatchObject(refused(409, 'INVALID_STATE_TRANSITION'));
    expect(new Set(ids).size).toBe(3);
    expect((await made()).memberships.map(({ team_id, role }) => [team_id, role])).toEqual(
      ids.sort((one, other) => one - other).map((id) => [id, 'OWNER']),
    );
  });

  it('makes three teams when more are asked for at once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => make()));
    const codes = replies.map(({ status }) => status).filter((status) => status !== 503);
    expect(codes.filter((status) => status === 201).length).toBeLessThanOrEqual(3);
    while ((await make()).status === 201);
    expect((await made()).memberships).toHaveLength(3);
    expect((await made()).user.teams_made).toBe(3);
  });

  it('is repeated under an Idempotency-Key byte for byte, also at once', async () => {
    const asked = { ...as(person), headers: { 'Idempotency-Key': 'a-team' } };
    const [one, other] = await Promise.all([make(asked), make(asked)]);
    expect(one.text).toBe(other.text);
    expect(await make(asked)).toMatchObject({
      ...{ status: 201, text: one.text },
      headers: { 'idempotent-replayed': 'true' },
    });
    expect((await made()).memberships).toHaveLength(1);
    expect(await make(asked, { name: 'Another' })).toMatchObject(refused(422, 'IDEMPOTENCY_KEY_REUSED'));
  });

  it.each([
    [{}, 'name'],
    [{ name: 'Night latch' }, 'name'],
    [{ name: 'x', contact_email: 'x' }, 'contact_email'],
    [{ name: 'x', default_refund_rule: 'half of it' }, 'default_refund_rule'],
    [{ name: 'x', role: 'OWNER' }, 'role'],
  ])('refuses %j', async (body, path) => {
    const reply = await make(as(person), body);
    expect(reply).toMatchObject(refused(400, 'VALIDATION_ERROR'));
    const { details } = reply.body as { details: { issues: { path: string }[] } };
    expect(details.issues[0]!.path).toBe(path);
  });
});
