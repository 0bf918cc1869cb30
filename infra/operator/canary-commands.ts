import * as z from 'zod';
import { createUnlistedListing } from '../../shared/domain/listing/index.ts';
import { ListingCreate, ListingEntity } from '../../shared/domain/listing/model.ts';
import { createKey, createTeam, listTeams } from '../../shared/domain/people/index.ts';
import { KeySettings } from '../../shared/domain/people/model.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { type CommandPlace, defineCommand } from './command.ts';

const teamName = 'Canary';

const listing = ListingCreate().parse({
  name: 'Canary',
  listing_type: 'PRIVATE_ROOM',
  property_type: 'HOTEL',
  address: '-',
  province_code: 'HN',
  capacity: 1,
  full_rate: 100_000,
  payment_methods: ['CASH'],
  state: 'ACTIVE',
});

/** A run sends 6 requests, a few more when it is refused. */
const requestsOfMinute = 60;

interface CanaryListing {
  team_id: number;
  listing_id: number;
}

/** Returns what an earlier call has made. */
const findCanary = async ({ deps }: CommandPlace): Promise<CanaryListing | undefined> => {
  const teams = (await listTeams(deps)).filter(({ name }) => name === teamName);
  for (const { team_id } of teams) {
    const pk = ListingEntity.partition({ team_id }, 'by_team');
    const { items } = await deps.table.query(ListingEntity, { index: 'by_team', pk });
    const found = items.find(({ unlisted }) => unlisted);
    if (found) return { team_id, listing_id: found.id };
  }
  return undefined;
};

const makeCanary = async ({ deps }: CommandPlace): Promise<CanaryListing> => {
  const { team_id } = await createTeam(deps, { name: teamName });
  const { id } = await createUnlistedListing(systemContext(deps, 'operator'), team_id, listing);
  return { team_id, listing_id: id };
};

export const canaryCommands = {
  'set-up': defineCommand({
    summary: 'Makes team and listing of the canary once, and each time a key; prints what its stage needs',
    changes: true,
    input: z.strictObject({}),
    run: async (place) => {
      const { team_id, listing_id } = (await findCanary(place)) ?? (await makeCanary(place));
      const settings = KeySettings.parse({
        name: 'canary',
        scopes: ['book'],
        rate_limit: requestsOfMinute,
        team_ids: [team_id],
      });
      const { key_id, api_key } = await createKey(place.deps, place.stage, settings);
      return { team_id, key_id, secret: { api_key }, stage: { canary: { listing_id } } };
    },
    dryRun: async (place) => {
      const found = await findCanary(place);
      return { would_make: found ? ['key'] : ['team', 'listing', 'key'], ...found };
    },
  }),
};
