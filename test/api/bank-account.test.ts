import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { teamRoutes } from '../../functions/team/routes.ts';
import { eventsOf } from '../support/events.ts';
import {
  advanceMinutes,
  ok,
  refusal,
  type ReplyOf,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

const s = useOrderScene();

type Accounts = z.output<(typeof teamRoutes)['routes']['getBankAccounts']['reply']>;
const path = '/api/v1/team/bank-account';
const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };
const day = 24 * 60;

const set = (who: Who, body: object = account): Promise<ReplyOf<Accounts>> =>
  s.call('PUT', path, { ...who, body });
const stop = (who: Who): Promise<ReplyOf<Accounts>> => s.call('DELETE', path, { ...who });
const read = async (who: Who) => ok(await s.get<Accounts>(who, path));
const ownerOf = async () => {
  const { team_id } = await testTeam(s.deps);
  return { team_id, owner: await s.person('OWNER', team_id) };
};

describe('the bank account of a team', () => {
  it('takes effect 24 hours after it was written, not a millisecond before', async () => {
    const { owner, team_id } = await ownerOf();
    expect(await read(owner)).toEqual({ current: null, next: null });
    const next = { bank: 'Vietcombank', ...account, effective_at: '2027-01-16T03:00:00.000Z' };
    expect(ok(await set(owner))).toEqual({ current: null, next });
    advanceMinutes(day - 1);
    expect(await read(owner)).toEqual({ current: null, next });
    advanceMinutes(1);
    expect(await read(owner)).toEqual({ current: next, next: null });
    expect((await eventsOf(s.deps.table, `TEAM#${team_id}`)).map(({ data }) => data)).toEqual([
      { id: team_id, team_id, account: 'Vietcombank …3456', effective_at: next.effective_at },
    ]);
  });

  it('is replaced by another before it has taken effect, and stopped', async () => {
    const { owner, team_id } = await ownerOf();
    ok(await set(owner));
    advanceMinutes(day);
    ok(await set(owner, { ...account, account_number: '1111' }));
    const { current, next } = ok(
      await set(owner, { ...account, bank_bin: '970407', account_number: '2222' }),
    );
    expect([current?.account_number, next?.bank, next?.account_number]).toEqual([
      '0071000123456',
      'Techcombank',
      '2222',
    ]);
    expect(ok(await stop(owner))).toMatchObject({ current, next: null });
    expect(refusal(await stop(owner)).code).toBe('NOT_FOUND');
    advanceMinutes(2 * day);
    expect((await read(owner)).current).toEqual(current);
    expect((await eventsOf(s.deps.table, `TEAM#${team_id}`)).at(-1)?.data).toMatchObject({ account: null });
  });

  it('is written by owners and read by the hosts of the team', async () => {
    const { team_id } = await ownerOf();
    const [manager, staff] = [await s.person('MANAGER', team_id), await s.person('STAFF', team_id)];
    for (const who of [manager, staff]) {
      expect(refusal(await set(who)).code).toBe('FORBIDDEN');
      expect(refusal(await stop(who)).code).toBe('FORBIDDEN');
      expect(await read(who)).toEqual({ current: null, next: null });
    }
  });

  it.each([
    [{ bank_bin: '970499' }, 'bank_bin'],
    [{ account_number: '123' }, 'account_number'],
    [{ account_number: '12345678901234567890' }, 'account_number'],
    [{ account_number: '0071 000' }, 'account_number'],
    [{ account_name: ' ' }, 'account_name'],
  ])('refuses %j', async (given, field) => {
    const { owner } = await ownerOf();
    const { code, paths } = refusal(await set(owner, { ...account, ...given }));
    expect([code, ...paths]).toEqual(['VALIDATION_ERROR', field]);
  });

  it('of two that are written at once one is the next', async () => {
    const { owner } = await ownerOf();
    await Promise.all(['1111', '2222'].map((account_number) => set(owner, { ...account, account_number })));
    expect((await read(owner)).next?.account_number).toMatch(/1111|2222/);
    expect(ok(await stop(owner)).next).toBeNull();
  });
});
