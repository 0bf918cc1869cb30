import { expect, test } from 'vitest';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { create } from '../../shared/platform/table/index.ts';
import { testDependencies, testTeam } from '../support/table.ts';

test('a refused write is given the item that conflicts, as its noun knows it', async () => {
  const { table, clock } = await testDependencies();
  const standing = await testTeam({ table, clock });
  let given: unknown;
  const otherwise = (old: unknown) => {
    given = old;
    return new Error('taken');
  };
  const late = create(TeamEntity, { ...standing, name: 'Late' }, otherwise);
  await expect(table.transact([late])).rejects.toThrow('taken');
  expect(given).toEqual(standing);
});
