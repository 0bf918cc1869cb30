import { addMember, createKey, createTeam, findOrCreateUser } from '../../../shared/domain/people/index.ts';
import { MembershipEntity } from '../../../shared/domain/people/model.ts';
import { keyScopes } from '../../../shared/platform/auth.ts';
import { instantText } from '../../../shared/platform/clock.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { exampleIds as ids } from '../../../shared/platform/http/example-records.ts';
import { put } from '../../../shared/platform/table/index.ts';
import type { NewUser } from '../identity/index.ts';
import type { Ready } from '../ready.ts';
import { depsAt } from './callers.ts';
import { seedExamples } from './examples.ts';
import { type DemoTeam, demoTeams } from './homes.ts';
import { seedListings } from './listings.ts';

interface DemoStage {
  deps: Dependencies;
  /** Creates an account at the embedded identity provider. */
  createAccount: (account: NewUser) => Promise<{ subject: string }>;
  /** Where the service is served, for webhooks and calendars that call it. */
  apiUrl: string;
}

const phone = '+84 901 234 567';
const people = {
  host: { email: 'host@nightlatch.example', password: 'Host-2027', full_name: 'Trần Thị Mai', phone },
  otherHost: { email: 'minh@nightlatch.example', password: 'Minh-2027', full_name: 'Phạm Văn Minh', phone },
  guest: { email: 'guest@nightlatch.example', password: 'Guest-2027', full_name: 'Nguyễn Văn An', phone },
};
const unverified = { email: 'hoa@nightlatch.example', password: 'Hoa-2027', full_name: 'Lê Thị Hoa', phone };

/** Writes the demo data into an empty service (D69), with the records that the examples of the API documentation name. */
export const seedDemo = async ({ deps, createAccount, apiUrl }: DemoStage): Promise<Ready['demo']> => {
  const account = async (person: Person, email_verified: boolean) =>
    (await createAccount({ ...person, email_verified })).subject;
  await account(people.host, true);
  await account(people.otherHost, true);
  const subjects = [await account(people.guest, true), await account(unverified, false)];
  const now = deps.clock.now();
  const teams: SeededTeam[] = [];
  for (const [position, team] of demoTeams.entries())
    teams.push(
      position === 0
        ? await seedTeam(depsAt(deps, now, ids.team, ids.host), team, people.host)
        : await seedTeam(
            depsAt(deps, now, ...(position === 1 ? [ids.otherTeam] : [])),
            team,
            people.otherHost,
          ),
    );
  const team_ids = teams.slice(0, 2).map(({ team_id }) => team_id);
  await seedCustomers(deps, subjects, team_ids);
  const settings = {
    allow_ip: [],
    rate_limit: null,
    collects_payment: false,
    expires_at: null,
    scopes: [...keyScopes],
  };
  await seedColleagues(deps, settings);
  const { key_id, api_key } = await createKey(deps, 'local', { ...settings, team_ids, name: 'Demo partner' });
  const { host, guest } = people;
  await seedExamples({
    deps,
    host: { user_id: ids.host, ...host, memberships: [{ team_id: ids.team, role: 'OWNER' }] },
    guest: { user_id: ids.guest, ...guest, memberships: [{ team_id: ids.team, role: 'CUSTOMER' }] },
    partner: { key_id, team_ids },
    apiUrl,
  });
  return {
    team_id: ids.team,
    api_key,
    host: { email: host.email, password: host.password },
    guest: { email: guest.email, password: guest.password },
    listing_ids: teams[0]?.listing_ids ?? [],
  };
};

type Person = Omit<NewUser, 'email_verified'>;

interface SeededTeam {
  team_id: number;
  listing_ids: number[];
}

/** Creates a demo team with its owner; a demo host owns one team, so `X-Team-ID` may be left out. */
const seedTeam = async (
  deps: Dependencies,
  { name, homes }: DemoTeam,
  owner: Person,
): Promise<SeededTeam> => {
  const { team_id } = await createTeam(deps, { name });
  const { user_id } = await addMember(deps, { team_id, email: owner.email, role: 'OWNER' });
  const host = { user_id, ...personOf(owner), memberships: [{ team_id, role: 'OWNER' as const }] };
  return { team_id, listing_ids: await seedListings(deps, host, homes) };
};

const personOf = ({ email, full_name = '', phone: number = '' }: Person) => ({
  email,
  full_name,
  phone: number,
});

/** Two keys and two members of the first team besides the key and the owner that the demo shows. */
const seedColleagues = async (
  deps: Dependencies,
  settings: Omit<Parameters<typeof createKey>[2], 'team_ids' | 'name'>,
): Promise<void> => {
  const now = deps.clock.now();
  for (const [id, name] of [
    [ids.teamKey, 'Channel manager'],
    [ids.teamKeyToRevoke, 'Price tool'],
  ] as const)
    await createKey(depsAt(deps, now, id), 'local', { ...settings, team_ids: [ids.team], name });
  for (const [id, email] of [
    [ids.member, 'linh@example.com'],
    [ids.memberToRemove, 'khoa@example.com'],
  ] as const)
    await addMember(depsAt(deps, now, id), { team_id: ids.team, email, role: 'STAFF' });
};

/** Makes the guest, and a customer who has not verified the address, customers of the teams of the demo key. */
const seedCustomers = async (
  deps: Dependencies,
  subjects: readonly string[],
  teamIds: readonly number[],
): Promise<void> => {
  const now = deps.clock.now();
  for (const [position, subject] of subjects.entries()) {
    const id = position === 0 ? ids.guest : ids.unverified;
    const { user } = await findOrCreateUser(depsAt(deps, now, id), subject);
    const since = {
      user_id: user.user_id,
      role: 'CUSTOMER',
      state: 'ACTIVE',
      created_at: instantText(now),
    } as const;
    await deps.table.transact(teamIds.map((team_id) => put(MembershipEntity, { ...since, team_id })));
  }
};
