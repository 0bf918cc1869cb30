import { expect, test } from 'vitest';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { create } from '../../shared/platform/table/index.ts';
import { testDependencies, testTeam } from '../support/table.ts';

test('a refused write is told the item that stands in the way, as its noun knows it', async () => {
  const { table, clock } = await testDependencies();
  const standing = await testTeam({ table, clock });
  let told: unknown;
  const otherwise = (old: unknown) => {
    told = old;
    return new Error('taken');
  };
  const late = create(TeamEntity, { ...standing, name: 'Late' }, otherwise);
  await expect(table.transact([late])).rejects.toThrow('taken');
  expect(told).toEqual(standing);
});
