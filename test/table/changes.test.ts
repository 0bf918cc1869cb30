import { expect, it } from 'vitest';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { change, ConflictError, lacks } from '../../shared/platform/table/index.ts';
import { freshId, testDependencies } from '../support/table.ts';

it.each([
  ['without a condition', undefined],
  ['whose condition holds of a missing item', { when: lacks('language') }],
])('a change %s creates no item', async (_, guard) => {
  const { table } = await testDependencies();
  const ids = { team_id: freshId() };
  const write = change(TeamEntity, ids, { set: { name: 'Hồ Tây' } }, guard);
  await expect(table.transact([write])).rejects.toBeInstanceOf(ConflictError);
  expect(await table.get(TeamEntity, ids)).toBeUndefined();
});
