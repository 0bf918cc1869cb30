import { createKey } from '../../../shared/domain/key/index.ts';
import { addMember, createTeam } from '../../../shared/domain/team/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import type { NewUser } from '../identity/index.ts';
import type { Ready } from '../ready.ts';
import { seedListings } from './listings.ts';

export interface DemoStage {
  deps: Dependencies;
  /** Makes an account at the embedded identity provider. */
  createAccount: (account: NewUser) => Promise<{ subject: string }>;
}

const people = {
  host: { email: 'host@nightlatch.example', password: 'Host-2027', full_name: 'Trần Thị Mai' },
  guest: { email: 'guest@nightlatch.example', password: 'Guest-2027', full_name: 'Nguyễn Văn An' },
};

/** Fills an empty service with something to try (D69). */
export const seedDemo = async ({ deps, createAccount }: DemoStage): Promise<Ready['demo']> => {
  for (const person of Object.values(people))
    await createAccount({ ...person, phone: '+84 901 234 567', email_verified: true });
  const { team_id } = await createTeam(deps, { name: 'Nightlatch Demo Homes' });
  const { user_id } = await addMember(deps, { team_id, email: people.host.email, role: 'OWNER' });
  const settings = { allow_ip: [], rate_limit: null, collects_payment: false, expires_at: null };
  const { api_key } = await createKey(deps, 'local', {
    ...settings,
    team_ids: [team_id],
    name: 'Demo partner',
  });
  const listing_ids = await seedListings(deps, { team_id, user_id });
  const { host, guest } = people;
  return {
    team_id,
    api_key,
    host: { email: host.email, password: host.password },
    guest: { email: guest.email, password: guest.password },
    listing_ids,
  };
};
