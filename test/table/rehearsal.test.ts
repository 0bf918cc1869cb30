import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { Rehearsal } from '../../shared/platform/http/rehearsal.ts';
import { RateWindowEntity } from '../../shared/platform/http/rate-window.entity.ts';
import {
  absent,
  ConflictError,
  create,
  maxWrites,
  put,
  type Table,
} from '../../shared/platform/table/index.ts';
import { interrupted } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import {
  freshId,
  testContext,
  testDependencies,
  type TestDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';
import { tableDump } from '../support/table-dump.ts';

let deps: TestDependencies;
let table: Table;
let rehearsed: number;
beforeAll(async () => {
  deps = await testDependencies();
});
beforeEach(() => {
  rehearsed = 0;
  table = deps.table.rehearsing(async (writes, check) => {
    rehearsed += writes.length;
    await check();
  });
});

const team = (team_id = freshId()) => ({ team_id, name: 'Team', created_at: instantText(deps.clock.now()) });

describe('a table that rehearses', () => {
  it('checks the conditions of writes, and writes nothing', async () => {
    const before = await tableDump();
    const { team_id } = team();
    await table.transact([create(TeamEntity, team(team_id)), create(TeamEntity, team())]);
    await table.put(put(TeamEntity, team(), { when: absent() }));
    expect(await tableDump()).toEqual(before);
    expect([rehearsed, await table.get(TeamEntity, { team_id })]).toEqual([3, undefined]);
  });

  it('throws the error of a condition that does not hold', async () => {
    const known = await testTeam(deps);
    const taken = () => create(TeamEntity, known, () => new RangeError('taken'));
    const before = await tableDump();
    await expect(table.transact([create(TeamEntity, team()), taken()])).rejects.toThrow('taken');
    await expect(table.put(taken())).rejects.toThrow('taken');
    await expect(table.transact([create(TeamEntity, known)])).rejects.toThrow(ConflictError);
    expect(await tableDump()).toEqual(before);
  });

  it('takes as many writes as a transaction does', async () => {
    const before = await tableDump();
    const many = Array.from({ length: maxWrites }, () => create(TeamEntity, team()));
    await table.transact(many);
    await expect(table.transact([...many, create(TeamEntity, team())])).rejects.toThrow(RangeError);
    expect(await tableDump()).toEqual(before);
  });

  it('counts nothing', async () => {
    const first = { counted: 'a', minute: 1, taken: 0 };
    await expect(table.increase(RateWindowEntity, first, 'taken', 1)).rejects.toThrow(TypeError);
  });
});

describe('a verb that is rehearsed', () => {
  it('is refused as really when another writer takes the time between its reads and its writes', async () => {
    const listing = await testListing(deps, { team_id: (await testTeam(deps)).team_id });
    const item = {
      listing_id: listing.id,
      check_in_date: '2027-02-10',
      check_out_date: '2027-02-12',
      guest_number: 2,
    };
    const [guest, other] = [await testUser(deps), await testUser(deps)];
    const book = () =>
      confirmCheckout(testContext(deps, other.caller), { items: [item], payment_method: 'CASH' });
    let after: unknown;
    const hold = new Rehearsal(deps, {}).run((rehearsing) =>
      createCheckout(
        interrupted({ ...testContext(deps, guest.caller), ...rehearsing }, async () => {
          await book();
          after = await tableDump();
        }),
        { items: [item] },
      ),
    );
    await expect(hold).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(await tableDump()).toEqual(after);
  });
});
