import { TeamAccountsEntity } from '../../../../shared/domain/transfer/model.ts';
import { put } from '../../../../shared/platform/table/index.ts';
import type { Actor } from '../actors/actor.ts';
import type { Credential, Reply } from '../client.ts';
import type { ServiceTable } from '../table.ts';
import { directDependencies, type Town } from '../town.ts';
import { keyName, type Reporter, reporters } from './host-bank.ts';

type Deed = (host: Actor) => Promise<unknown>;

interface Transfers {
  items: { id: string; named_booking_ids: number[]; account_number: string; rest: number; text: string }[];
}

interface Today {
  transfers_due: { id: number }[];
}

const awaited = async (host: Actor): Promise<number[]> => {
  const reply = await host.get('readToday', '/today');
  return reply?.status === 200 ? (reply.json as Today).transfers_due.map(({ id }) => id) : [];
};

/** The money goes out with the text that it came with. */
const sendBack = ({ town: { hostBank }, who }: Actor, transfer: Transfers['items'][number]): void => {
  const { account_number: account, rest: amount, text } = transfer;
  hostBank.take({ team: who.team!, account, amount, text, kind: 'out' });
};

/** Of what no booking took: mostly the booking that its text names, sometimes another that waits, or it goes back. */
const settleTransfer: Deed = async (host) => {
  const { sim } = host.town;
  const query = { state: sim.pick(['OPEN', 'OPEN', 'OPEN', 'MATCHED', 'RETURNED']), limit: 50 };
  const reply = await host.get('listTransfers', '/team/transfers', query);
  const { items } = reply?.status === 200 ? (reply.json as Transfers) : { items: [] };
  if (items.length === 0) return;
  const transfer = sim.pick(items);
  const path = `/team/transfers/${transfer.id}`;
  if (sim.chance(0.25)) {
    const returned = await host.post('returnTransfer', `${path}/returned`, { note: 'Sent back' });
    if (returned?.status === 200) sendBack(host, transfer);
    return;
  }
  const [first] = transfer.named_booking_ids;
  const booking_id = first !== undefined && sim.chance(0.7) ? first : (await awaited(host))[0];
  if (booking_id === undefined) return;
  const assign = () => host.post('assignTransfer', `${path}/assign`, { booking_id });
  // In another window too.
  await Promise.all(sim.chance(0.15) ? [assign(), assign()] : [assign()]);
};

const extendPayment: Deed = async (host) => {
  const { sim } = host.town;
  const ids = await awaited(host);
  if (ids.length > 0)
    await host.post('extendPayment', `/bookings/${sim.pick(ids)}/extend-payment`, {
      hours: 1 + sim.whole(24),
    });
};

const setAccount: Deed = async (host) => {
  const { town, who } = host;
  const account_number = town.hostBank.newAccount(who.team!);
  const body = { bank_bin: '970436', account_number, account_name: 'TRAN THI LINH' };
  const from = town.sim.now() + 24 * 60 * 60_000;
  town.hostBank.accounts.push({ team: who.team!, number: account_number, from });
  await town.client.ask(who, {
    ...{ verb: 'setBankAccount', method: 'PUT', path: '/api/v1/team/bank-account', body, key: town.newKey() },
  });
};

/** Has reports taken by a new key, of which the reporter knows at once; without an answer it does not. */
const renewReports = async (town: Town, who: Credential, reporter: Reporter): Promise<Reply | undefined> => {
  const path = `/api/v1/team/transfer-reports/${reporter}`;
  const reply = await town.client.ask(who, { verb: 'setTransferReports', method: 'PUT', path, body: {} });
  if (reply?.status === 200) {
    const name = keyName(who.team!, reporter);
    town.hostBank.keys.set(name, (reply.json as { secret: string }).secret);
    town.hostBank.refused.delete(name);
  }
  return reply;
};

const changeReports: Deed = async (host) => {
  const { town, who } = host;
  const own = reporters.filter((reporter) => town.hostBank.keys.has(keyName(who.team!, reporter)));
  const reporter = town.sim.pick(own);
  if (town.sim.chance(0.3)) {
    await host.remove('removeTransferReports', `/team/transfer-reports/${reporter}`);
    await town.pause(10);
  }
  await renewReports(town, who, reporter);
};

/** A reporter whose reports are refused asks the host for another key. */
export const renewRefused = async (town: Town): Promise<void> => {
  for (const who of town.hosts)
    for (const reporter of reporters)
      if (town.hostBank.refused.has(keyName(who.team!, reporter))) await renewReports(town, who, reporter);
};

const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [50, settleTransfer],
  [15, extendPayment],
  [8, setAccount],
  [6, (host) => host.remove('stopBankAccount', '/team/bank-account')],
  [4, (host) => host.get('getBankAccounts', '/team/bank-account')],
  [6, changeReports],
];

/** What a host does about the bank account and what has come to it. */
export const tendTransfers = async (host: Actor): Promise<void> => {
  await host.town.sim.weighted(deeds)(host);
};

/** The team's accounts are there from the day before; one of them or both have reporters. */
export const openTransfers = async (town: Town, table: ServiceTable): Promise<void> => {
  const { sim, hostBank } = town;
  for (const who of town.hosts) {
    const team = who.team!;
    const account_number = hostBank.newAccount(team);
    hostBank.accounts.push({ team, number: account_number, from: 0 });
    const account = { bank_bin: '970436', account_number, account_name: 'TRAN THI LINH', from: 0 };
    const written = put(TeamAccountsEntity, { team_id: team, accounts: [account], version: 1 });
    await directDependencies(table, sim).table.transact([written]);
    const own = sim.pick([reporters, reporters, reporters.slice(0, 1), reporters.slice(1)]);
    for (const reporter of own) {
      const reply = await renewReports(town, who, reporter);
      if (reply?.status !== 200) throw new Error(`setTransferReports: ${reply?.status} ${reply?.text}`);
    }
  }
};
