import { expect, it } from 'vitest';
import { dryRunTable } from '../../infra/operator/dry-run-table.ts';
import { FeedRevisionEntity } from '../../shared/domain/ical/ical.store.ts';
import { create, put } from '../../shared/platform/table/index.ts';
import { testDependencies } from '../support/table.ts';

it('a dry run writes nothing, whatever method of the table a verb uses, and names it', async () => {
  const { table } = await testDependencies();
  const dry = dryRunTable(table);
  const revision = { calendar_id: 7, revision: 0, changed_at: '2027-01-15T03:00:00.000Z' };
  await dry.table.transact([create(FeedRevisionEntity, revision)]);
  await dry.table.put(put(FeedRevisionEntity, revision));
  expect(await dry.table.increase(FeedRevisionEntity, revision, 'revision', 2)).toBe(2);
  expect(dry.wouldWrite).toEqual(['FeedRevision', 'FeedRevision', 'FeedRevision']);
  expect(await dry.table.get(FeedRevisionEntity, revision)).toBeUndefined();
});
