import { guestUrl, listTeamBookings } from '../../../shared/domain/booking/index.ts';
import { readReservation, scheduleEnds } from '../../../shared/domain/booking/model.ts';
import {
  createKey,
  createTeam,
  createTeamKey,
  findOrCreateUser,
} from '../../../shared/domain/people/index.ts';
import { MembershipEntity } from '../../../shared/domain/people/model.ts';
import { keyScopes, type Role } from '../../../shared/platform/auth.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { exampleIds as ids, exampleLinkStays } from '../../../shared/platform/http/example-records.ts';
import { put } from '../../../shared/platform/table/index.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import type { NewUser } from '../identity/index.ts';
import type { Ready } from '../ready.ts';
import type { DemoSize } from '../settings.ts';
import { asUser, depsAt, type Person } from './callers.ts';
import { seedExamples } from './examples.ts';
import { furnish, hangPictures } from './furnish.ts';
import type { DemoTeam } from './homes/home.ts';
import { demoTeams } from './homes/index.ts';
import { seedListings, type SeededListing } from './listings.ts';
import { seedInvitations } from './invitations.ts';
import { type Account, colleagues, demoPeople, stayingGuests, unverifiedGuest } from './people.ts';
import { type DemoGuests, seedStays } from './stays.ts';

interface DemoStage {
  deps: Dependencies;
  /** Creates an account at the embedded identity provider. */
  createAccount: (account: NewUser) => Promise<{ subject: string }>;
  /** Where the service is served, for webhooks and calendars that call it, and for pictures. */
  apiUrl: string;
  size: DemoSize;
}

/** When the demo homes were opened: before their first stays. */
const openedDaysAgo = 90;

/** The pictures of the documentation's listings. */
const exampleLooks = [
  { id: ids.listing, look: { scene: 'hills', building: 'villa', number: 1 } },
  { id: ids.lakeHouse, look: { scene: 'lake', building: 'cottage', number: 2 } },
] as const;

/** Writes the demo data into an empty service (D69), with the records that the examples of the API documentation name. */
export const seedDemo = async (stage: DemoStage): Promise<Ready['demo']> => {
  const { deps, createAccount, apiUrl, size } = stage;
  const { host, otherHost, guest } = demoPeople;
  const account = async (person: Account, email_verified: boolean) =>
    (await createAccount({ ...person, email_verified })).subject;
  const owners = [await account(host, true), await account(otherHost, true)] as const;
  const subjects = [await account(guest, true), await account(unverifiedGuest, false)];
  const now = deps.clock.now();
  const teams: SeededTeam[] = [];
  for (const [position, team] of demoTeams.entries())
    teams.push(
      position === 0
        ? await seedTeam(depsAt(deps, now, ids.team, ids.host), team, { ...host, subject: owners[0] })
        : await seedTeam(depsAt(deps, now, ...(position === 1 ? [ids.otherTeam] : [])), team, {
            ...otherHost,
            subject: owners[1],
          }),
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
  await seedColleagues(stage, settings);
  await seedInvitations(deps, apiUrl);
  const { key_id, api_key } = await createKey(deps, 'local', { ...settings, team_ids, name: 'Demo partner' });
  const exampleHost: Person = {
    ...{ user_id: ids.host, ...personOf(host) },
    memberships: [{ team_id: ids.team, role: 'OWNER' }],
  };
  const page = await createTeamKey(asUser(depsAt(deps, now, ids.publishableKey), exampleHost), 'local', {
    ...{ kind: 'PUBLISHABLE', name: 'Demo page', allowed_origins: [], allow_ip: [], expires_at: null },
  });
  await seedExamples({
    deps,
    host: exampleHost,
    guest: {
      ...{ user_id: ids.guest, ...personOf(guest) },
      memberships: [{ team_id: ids.team, role: 'CUSTOMER' }],
    },
    partner: { key_id, team_ids },
    apiUrl,
  });
  if (size === 'full') await bringToLife(stage, teams, exampleHost);
  for (const { host: owner } of [{ host: exampleHost }, ...teams.slice(1)]) await scheduleEndsOf(deps, owner);
  return {
    team_id: ids.team,
    api_key,
    publishable_key: page.api_key,
    ...(await linksOf(stage)),
    host: { email: host.email, password: host.password },
    guest: { email: guest.email, password: guest.password },
    listing_ids: (teams[0]?.families ?? []).flat().map(({ id }) => id),
  };
};

/** The links of guests, as mails have them. */
const linksOf = async ({
  deps,
  apiUrl,
}: DemoStage): Promise<Pick<Ready['demo'], 'guest_url' | 'guest_urls'>> => {
  const linkTo = async (id: number): Promise<string> => {
    const stay = await readReservation(deps.table, id);
    return (stay && (await guestUrl(deps, stay, { from: 'm', pages: apiUrl }))) ?? '';
  };
  const others = Object.entries(exampleLinkStays).map(
    async ([operation, id]) => [operation, await linkTo(id)] as const,
  );
  return { guest_url: await linkTo(ids.ofLink), guest_urls: Object.fromEntries(await Promise.all(others)) };
};

interface SeededTeam {
  team_id: number;
  host: Person;
  /** Each home with its rooms. */
  families: SeededListing[][];
}

/** Creates a demo team with its owner; a demo host owns one team, so `X-Team-ID` may be left out. */
const seedTeam = async (
  deps: Dependencies,
  { name, homes }: DemoTeam,
  { subject, ...owner }: Account & { subject: string },
): Promise<SeededTeam> => {
  const { team_id } = await createTeam(deps, { name });
  const userId = await seat(deps, subject, { team_id, role: 'OWNER' });
  const host = { user_id: userId, ...personOf(owner), memberships: [{ team_id, role: 'OWNER' as const }] };
  const opened = depsAt(deps, deps.clock.now() - openedDaysAgo * dayMs);
  return { team_id, host, families: await seedListings(opened, host, homes) };
};

const personOf = ({ email, full_name = '', phone = '' }: Account) => ({ email, full_name, phone });

/** Furnishes the homes and fills their calendars; homes side by side, each step of one after the other. */
const bringToLife = async (
  { deps, createAccount, apiUrl }: DemoStage,
  teams: readonly SeededTeam[],
  exampleHost: Person,
): Promise<void> => {
  const now = deps.clock.now();
  const guestOf = async (account: Account, language: 'vi' | 'en'): Promise<Person> => {
    const { subject } = await createAccount({ ...account, email_verified: true });
    const { user } = await findOrCreateUser(deps, subject);
    return { ...personOf(account), user_id: user.user_id, memberships: [], language };
  };
  const [lan, david, yuki] = await Promise.all([
    guestOf(stayingGuests.lan, 'vi'),
    guestOf(stayingGuests.david, 'en'),
    guestOf(stayingGuests.yuki, 'en'),
  ]);
  const guests: DemoGuests = { lan, david, yuki };
  const openedAt = now - openedDaysAgo * dayMs;
  const at = (host: Person) => asUser(depsAt(deps, openedAt), host);
  await Promise.all([
    ...exampleLooks.map(({ id, look }) => hangPictures(at(exampleHost), apiUrl, { id, look, kind: 'home' })),
    ...teams.flatMap(({ host, families }) =>
      families.map(async (family) => {
        for (const listing of family) await furnish(at(host), listing, { apiUrl, now });
        for (const listing of family) await seedStays({ deps, host, guests }, listing);
      }),
    ),
  ]);
};

/** What the consumer of new bookings does: of all demo data at once it would take a second of the start. */
const scheduleEndsOf = async (deps: Dependencies, owner: Person): Promise<void> => {
  let cursor: string | null = null;
  do {
    const paging = { page: 1, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const page = await listTeamBookings(asUser(deps, owner), {}, paging);
    await scheduleEnds(
      deps,
      page.items.map(({ id }) => id),
    );
    cursor = page.next_cursor;
  } while (cursor !== null);
};

/** Two keys and two members of the first team besides the key and the owner that the demo shows. */
const seedColleagues = async (
  { deps, createAccount }: DemoStage,
  settings: Omit<Parameters<typeof createKey>[2], 'team_ids' | 'name'>,
): Promise<void> => {
  const now = deps.clock.now();
  for (const [id, name] of [
    [ids.teamKey, 'Channel manager'],
    [ids.teamKeyToRevoke, 'Price tool'],
  ] as const)
    await createKey(depsAt(deps, now, id), 'local', { ...settings, team_ids: [ids.team], name });
  for (const [id, colleague] of [
    [ids.member, colleagues.linh],
    [ids.memberToRemove, colleagues.khoa],
  ] as const) {
    const { subject } = await createAccount({ ...colleague, email_verified: true });
    await seat(depsAt(deps, now, id), subject, { team_id: ids.team, role: 'STAFF' });
  }
};

/** Makes an account a member of a team, and returns its user id. */
const seat = async (
  deps: Dependencies,
  subject: string,
  { team_id, role }: { team_id: number; role: Role },
): Promise<number> => {
  const { user_id } = (await findOrCreateUser(deps, subject)).user;
  const now = instantText(deps.clock.now());
  await deps.table.transact([
    put(MembershipEntity, { user_id, team_id, role, state: 'ACTIVE', created_at: now }),
  ]);
  return user_id;
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
    for (const team_id of teamIds) await seat(depsAt(deps, now, id), subject, { team_id, role: 'CUSTOMER' });
  }
};
