import type { Dependencies } from '../../platform/context.ts';
import { type ApiKey, ApiKeyEntity, type PartnerKey, partnerKeyPrefix, partnerKeys } from './key.entity.ts';
import { isExpired } from './key.store.ts';

type Reading = Pick<Dependencies, 'table' | 'clock'>;

/**
 * The teams that a partner holds, as an index has them: those of its keys, rotated ones included, that are neither revoked nor
 * expired (D16). A revocation is seen within a second, as a rule; so is a new key. What cannot be taken back is decided by
 * {@link partnerTeamsNow}.
 */
export const partnerTeams = async ({ table, clock }: Reading, partner_key_id: number): Promise<number[]> => {
  const { items } = await table.queryAll({ index: 'by_team', pk: partnerKeys(partner_key_id) });
  return teamsOf(items as unknown as ApiKey[], clock.now());
};

/** The same as it stands at this moment. None: nobody acts for the partner any more. */
export const partnerTeamsNow = async (
  { table, clock }: Reading,
  partner_key_id: number,
): Promise<number[]> => {
  const pk = partnerKeys(partner_key_id);
  const [listed, indexed] = await Promise.all([
    table.queryAll({ pk, prefix: partnerKeyPrefix }),
    table.queryAll({ index: 'by_team', pk }),
  ]);
  const known = [...listed.items, ...indexed.items] as unknown as PartnerKey[];
  const keys = await table.getAll(known.map(({ hash }) => ({ key: ApiKeyEntity.key({ hash }) })));
  return teamsOf(keys.filter((key) => key !== undefined) as unknown as ApiKey[], clock.now());
};

const teamsOf = (keys: readonly ApiKey[], now: number): number[] => {
  const live = keys.filter((key) => key.state === 'ACTIVE' && !isExpired(key, now));
  return [...new Set(live.flatMap(({ team_ids }) => team_ids))];
};
