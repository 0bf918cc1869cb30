import type { Dependencies } from '../../platform/context.ts';
import { type ApiKey, partnerKeys } from './key.entity.ts';
import { isExpired } from './key.store.ts';

/**
 * The teams that a partner holds at this moment: those of its keys, rotated ones included, that are neither revoked nor
 * expired (D16). None: nobody acts for the partner any more, for good. A revocation is seen within a second.
 */
export const partnerTeams = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  partner_key_id: number,
): Promise<number[]> => {
  const { items } = await table.queryAll({ index: 'by_team', pk: partnerKeys(partner_key_id) });
  const now = clock.now();
  const live = (items as unknown as ApiKey[]).filter((key) => key.state === 'ACTIVE' && !isExpired(key, now));
  return [...new Set(live.flatMap(({ team_ids }) => team_ids))];
};
