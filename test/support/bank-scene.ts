import { Webhook } from 'standardwebhooks';
import { beforeEach } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import type { teamRoutes } from '../../functions/team/routes.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { referenceOf } from '../../shared/domain/transfer/reference.rules.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { folioCalls, stayPrice as price } from './folio-calls.ts';
import { ok, type OrderScene, type ReplyOf, type Who } from './order-scene.ts';
import { testTeam } from './table.ts';

type Reports = z.output<(typeof teamRoutes)['routes']['setTransferReports']['reply']>;
type Transfers = z.output<(typeof bookingRoutes)['routes']['listTransfers']['reply']>;
type Shown = Transfers['items'][number];

export const account_number = '0071000123456';

/** A team with a bank account whose transfers are reported, new for each test. */
export const useBank = (s: OrderScene) => {
  const { book, folio } = folioCalls(s);
  const state = {} as { secrets: Record<'sepay' | 'standard', string>; owner: Who; teamId: number };
  let count = 0;

  const reports = (provider: string) => `/api/v1/team/transfer-reports/${provider}`;
  const setReports = (provider: string, body: object = {}, who = state.owner): Promise<ReplyOf<Reports>> =>
    s.call('PUT', reports(provider), { ...who, body });
  beforeEach(async () => {
    state.teamId = (await testTeam(s.deps)).team_id;
    state.owner = await s.person('OWNER', state.teamId);
    const account = { bank_bin: '970436', account_number, account_name: 'TRAN THI LINH', from: 0 };
    const accounts = { team_id: state.teamId, accounts: [account], version: 1 };
    await s.deps.table.put(put(TeamAccountsEntity, accounts));
    const set = async (provider: string) => ok(await setReports(provider)).secret;
    state.secrets = { sepay: await set('sepay'), standard: await set('standard') };
  });

  const post = (provider: string, body: string, headers: Record<string, string>, team = state.teamId) =>
    s.call('POST', `/api/v1/payments/bank-transfers/${provider}/${team}`, {
      body: JSON.parse(body) as object,
      headers,
    });
  const signed = (body: string, secret = state.secrets.standard, at = new Date(s.deps.clock.now())) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  });
  return Object.assign(state, {
    reports,
    setReports,
    post,
    signed,
    report: (given: object = {}) => ({
      ...{ id: `FT${++count}`, account_number, amount: price, currency: 'VND', text: 'tien phong' },
      received_at: '2027-01-15T02:30:00.000Z',
      ...given,
    }),
    send: async (given: object) => {
      const body = JSON.stringify(given);
      ok(await post('standard', body, signed(body)));
    },
    list: async (wanted?: string, who: Who = state.owner) =>
      ok(await s.get<Transfers>(who, '/api/v1/team/transfers', wanted ? { state: wanted } : {})).items,
    assign: (id: string, booking_id: number, who: Who = state.owner): Promise<ReplyOf<Shown>> =>
      s.call('POST', `/api/v1/team/transfers/${id}/assign`, { ...who, body: { booking_id } }),
    bookHere: (given: object = {}, method = 'BANK_TRANSFER') =>
      book({ team_id: state.teamId, ...given }, method),
    naming: (id: number) => `MBVCB.32789.CT DEN ${referenceOf(orderIdOf(id)).toLowerCase()} tien phong`,
    money: async (id: number) => {
      const { payment_status, amount_paid, amount_due, balance } = await folio(id, state.owner);
      return { payment_status, amount_paid, amount_due, balance };
    },
  });
};
