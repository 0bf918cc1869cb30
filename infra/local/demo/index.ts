import { addMember, createKey, createTeam } from '../../../shared/domain/people/index.ts';
import { keyScopes } from '../../../shared/platform/auth.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import type { NewUser } from '../identity/index.ts';
import type { Ready } from '../ready.ts';
import { type DemoTeam, demoTeams } from './homes.ts';
import { seedListings } from './listings.ts';

interface DemoStage {
  deps: Dependencies;
  /** Creates an account at the embedded identity provider. */
  createAccount: (account: NewUser) => Promise<{ subject: string }>;
}

const people = {
  host: { email: 'host@nightlatch.example', password: 'Host-2027', full_name: 'Trần Thị Mai' },
  guest: { email: 'guest@nightlatch.example', password: 'Guest-2027', full_name: 'Nguyễn Văn An' },
};

/** Writes the demo data into an empty service (D69). */
export const seedDemo = async ({ deps, createAccount }: DemoStage): Promise<Ready['demo']> => {
  for (const person of Object.values(people))
    await createAccount({ ...person, phone: '+84 901 234 567', email_verified: true });
  const teams: SeededTeam[] = [];
  for (const team of demoTeams) teams.push(await seedTeam(deps, team));
  const settings = {
    scopes: [...keyScopes],
    allow_ip: [],
    rate_limit: null,
    collects_payment: false,
    expires_at: null,
  };
  const { api_key } = await createKey(deps, 'local', {
    ...settings,
    team_ids: teams.slice(0, 2).map(({ team_id }) => team_id),
    name: 'Demo partner',
  });
  const [{ team_id, listing_ids } = { team_id: 0, listing_ids: [] }] = teams;
  const { host, guest } = people;
  return {
    team_id,
    api_key,
    host: { email: host.email, password: host.password },
    guest: { email: guest.email, password: guest.password },
    listing_ids,
  };
};

interface SeededTeam {
  team_id: number;
  listing_ids: number[];
}

/** Creates a demo team. The demo host owns every team, so that `X-Team-ID` can be tried. */
const seedTeam = async (deps: Dependencies, { name, homes }: DemoTeam): Promise<SeededTeam> => {
  const { team_id } = await createTeam(deps, { name });
  const { user_id } = await addMember(deps, { team_id, email: people.host.email, role: 'OWNER' });
  return { team_id, listing_ids: await seedListings(deps, { team_id, user_id }, homes) };
};
