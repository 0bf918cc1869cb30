import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import {
  assignTransfer,
  getBankAccounts,
  listTransfers,
  setBankAccount,
  setReports,
  takeReport,
} from '../../shared/domain/transfer/index.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { put, type Table } from '../../shared/platform/table/index.ts';
import { dayMs } from '../../shared/platform/time/time.ts';
import { paymentScene } from '../support/payment-scene.ts';

/** The table, but the first read of a kind of item answers what it held before. */
const reading = (table: Table, kind: string, stale: unknown): Table => {
  let isStale = true;
  const get = async (...asked: Parameters<Table['get']>): Promise<unknown> => {
    if (asked[0].name !== kind || !isStale) return table.get(...asked);
    isStale = false;
    return stale;
  };
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'get') return get;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };

const scene = async () => {
  const s = await paymentScene();
  const listing = await s.listing();
  const { team_id } = listing;
  const accounts = [{ ...account, from: 0 }];
  await s.deps.table.put(put(TeamAccountsEntity, { team_id, accounts, version: 1 }));
  return { ...s, team_id, home: listing };
};

describe('a bank account that is written', () => {
  it.each([
    ['before another was read', undefined],
    ['after another was written meanwhile', { accounts: [], version: 0 }],
  ])('%s keeps that one', async (_, stale) => {
    const s = await scene();
    const before = stale && { ...stale, team_id: s.team_id };
    const ctx = { ...s.owner, table: reading(s.deps.table, 'TeamAccounts', before) };
    await setBankAccount(ctx, { ...account, account_number: '2222' });
    expect(await getBankAccounts(s.owner)).toMatchObject({
      current: { account_number: '0071000123456' },
      next: { account_number: '2222' },
    });
    s.clock.advance(dayMs);
    expect(await getBankAccounts(s.owner)).toMatchObject({ current: { account_number: '2222' } });
  });
});

describe('a report that comes again', () => {
  it('while a clerk assigns its transfer does not make the money free again', async () => {
    const s = await scene();
    const items = [{ ...s.items(s.home)[0]!, listing_id: s.home.id }];
    const { reservations } = await confirmCheckout(s.guest, { items, payment_method: 'BANK_TRANSFER' });
    const { secret } = await setReports(s.owner, 'standard', {}, '');
    const report = { id: 'FT1', account_number: account.account_number, amount: 500_000, currency: 'VND' };
    const body = JSON.stringify({ ...report, text: 'tien phong', received_at: '2027-01-15T02:30:00.000Z' });
    const at = new Date(s.clock.now());
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    };
    const asked = { provider: 'standard', team_id: s.team_id, raw: { body, headers, query: {} } } as const;
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    try {
      await takeReport(s.owner, asked, s.clock);
      const [open] = (await listTransfers(s.owner, 'OPEN', { page: 1, limit: 20 })).items;
      await assignTransfer(s.owner, open!.id, reservations[0]!.id);
      const late = { ...s.owner, table: reading(s.deps.table, 'BankTransfer', undefined) };
      await takeReport(late, asked, s.clock);
    } finally {
      vi.useRealTimers();
    }
    expect((await listTransfers(s.owner, 'OPEN', { page: 1, limit: 20 })).items).toEqual([]);
    expect((await listTransfers(s.owner, 'MATCHED', { page: 1, limit: 20 })).items).toMatchObject([
      { rest: 0, booking_ids: [reservations[0]!.id] },
    ]);
  });
});
