import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blockUser } from '../../shared/domain/people/block-user.ts';
import { removeTeamMember } from '../../shared/domain/people/team-members.ts';
import { changeTeam } from '../../shared/domain/people/team-settings.ts';
import { signUpTeam } from '../../shared/domain/people/sign-up-team.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { readUser } from '../../shared/domain/people/user.store.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { interrupted } from '../support/interrupted.ts';
import { testPerson } from '../support/invitations.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let team_id: number;
let owner: UserCaller;
beforeEach(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  owner = (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
});

type Change = Parameters<typeof changeTeam>[1];
const change = (input: Change) => changeTeam(testContext(deps, owner), input);
/** Changes the team while something happens between the read and the write. */
const changeDuring = (input: Change, happens: () => Promise<unknown>) =>
  changeTeam(interrupted(testContext(deps, owner), happens), input);
const team = () => deps.table.get(TeamEntity, { team_id });
const steps = [{ until_hours_before: 48, refund_percent: 80, keep_nights: 1 }];

describe('two changes of a team at once', () => {
  it('of different fields both stand', async () => {
    await changeDuring({ contact_name: 'Hoa' }, () => change({ contact_phone: '+84 912 345 678' }));
    expect(await team()).toMatchObject({ contact_name: 'Hoa', contact_phone: '+84 912 345 678' });
  });

  it('never leave a text of terms that cannot be read: steps that go', async () => {
    await change({ default_cancellation_terms: steps });
    const text = changeDuring({ default_refund_rule: 'our own words' }, () =>
      change({ default_cancellation_terms: null }),
    );
    await expect(text).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await team()).not.toHaveProperty('default_refund_rule');
  });

  it('never leave a text of terms that cannot be read: a text that comes', async () => {
    await change({ default_cancellation_terms: steps });
    const gone = changeDuring({ default_cancellation_terms: null }, () =>
      change({ default_refund_rule: 'our own words' }),
    );
    await expect(gone).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await team()).toMatchObject({ default_cancellation_terms: steps });
  });

  it('are not those of an owner who is taken out meanwhile', async () => {
    const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
    const late = changeDuring({ name: 'Mine' }, () =>
      removeTeamMember(testContext(deps, caller), owner.user_id),
    );
    await expect(late).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await team()).toMatchObject({ name: 'Team' });
  });
});

describe('a team that is made', () => {
  beforeEach(() => {
    vi.stubEnv('TEAM_SIGN_UP', 'on');
    return () => void vi.unstubAllEnvs();
  });

  it('is no fourth, however the requests meet', async () => {
    const person = await testPerson(deps);
    const make = () => signUpTeam(person.as(), { name: 'Hoa Nắng' });
    await Promise.all([make(), make()]);
    const late = signUpTeam(interrupted(person.as(), make), { name: 'Hoa Nắng' });
    await expect(late).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await readUser(deps.table, person.user.user_id))?.memberships).toHaveLength(3);
  });

  it('is not that of a person who is blocked meanwhile', async () => {
    const person = await testPerson(deps);
    const block = () => blockUser(deps, { user_id: person.user.user_id });
    const late = signUpTeam(interrupted(person.as(), block), { name: 'Hoa Nắng' });
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await readUser(deps.table, person.user.user_id))?.memberships).toEqual([]);
  });
});
