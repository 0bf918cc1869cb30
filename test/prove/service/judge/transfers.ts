import { type Item, itemsOf } from '../../memory/values.ts';
import type { Answers } from '../client.ts';
import type { Town } from '../town.ts';
import type { HostBank, Transaction } from '../transfers/host-bank.ts';
import type { ShownTransfer } from '../transfers/payer.ts';
import { recordsOf, type Stay, type Transfer } from '../transfers/watch.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** Compares folios and lists with the books of the bank of the hosts: each transaction counts exactly once. */
export const transferProblems = (items: readonly Item[], { transactions }: HostBank): string[] => {
  const stays = itemsOf<Stay>(items, 'Reservation');
  const postings = stays.flatMap(({ reservation_id, team_id, postings: all = [] }) =>
    all
      .filter(
        ({ kind, method, reference }) =>
          kind === 'payment' && method === 'BANK_TRANSFER' && reference !== undefined,
      )
      .map(({ amount, reference }) => ({ reservation_id, team_id, amount, reference })),
  );
  const known = new Set(transactions.map(({ id }) => id));
  return [
    ...[...Map.groupBy(transactions, ({ id, account }) => `${id} ${account}`).values()].flatMap((same) => {
      const [{ id, team } = same[0]!] = same;
      const records = recordsOf(items, same[0]!);
      const own = postings.filter(({ reference }) => reference === id);
      const counted = sum(own.map(({ amount }) => amount)) + sum(records.map(({ rest }) => rest));
      const booked = sum(records.map(({ amount }) => amount));
      return [
        ...same.flatMap((one) => countProblems(one, records)),
        ...records.flatMap((record) => recordProblems(record, own)),
        ...(same[0]!.kind === 'in' && counted !== booked
          ? [`${id}: ${booked} has come, ${counted} is counted`]
          : []),
        ...[...own, ...records]
          .filter((one) => one.team_id !== team)
          .map((one) => `${id} of team ${team} is with team ${one.team_id}`),
      ];
    }),
    ...postings
      .filter(({ reference }) => !known.has(reference!))
      .map(
        (one) =>
          `stay ${one.reservation_id} is paid by ${one.reference}, which the bank of its host never had`,
      ),
    ...itemsOf<Transfer>(items, 'BankTransfer')
      .filter(
        ({ bank_reference: id, account_number: account, amount }) =>
          !transactions.some(
            (one) => one.id === id && one.account === account && one.amount === amount && one.kind === 'in',
          ),
      )
      .map(({ bank_reference, amount }) => `${bank_reference} of ${amount} is on the list, and never came`),
    ...itemsOf<Restored>(items, 'Event').flatMap((event) => restoredProblems(event, items, stays)),
  ];
};

const countProblems = (
  { id, amount, kind, reports, isTaken }: Transaction,
  records: readonly Transfer[],
): string[] => {
  const count = records.filter((one) => one.amount === amount).length;
  if (kind !== 'in') return [];
  const least = isTaken ? 1 : 0;
  const most = reports > 0 ? 1 : 0;
  return count >= least && count <= most
    ? []
    : [`${id} of ${amount} was reported ${reports} times, and is there ${count} times`];
};

const recordProblems = (record: Transfer, postings: readonly { reservation_id: number }[]): string[] => {
  const { bank_reference: id, state, rest, booking_ids } = record;
  const paid = new Set(postings.map(({ reservation_id }) => reservation_id));
  return [
    ...((state === 'MATCHED') === (rest === 0) ? [] : [`${id} is ${state}, and ${rest} is left of it`]),
    ...booking_ids
      .filter((one) => !paid.has(one))
      .map((one) => `${id} has paid stay ${one}, whose folio does not say so`),
  ];
};

interface Restored {
  event_type: string;
  occurred_at: string;
  actor: string;
  data: { id: number; payment_status?: string };
}

/** Restored was what the schedule has cancelled, by money, before its check-in. */
const restoredProblems = (event: Restored, items: readonly Item[], stays: readonly Stay[]): string[] => {
  const { event_type, occurred_at, data } = event;
  if (event_type !== 'booking.restored') return [];
  const ends = itemsOf<Restored>(items, 'Event')
    .filter(
      (one) =>
        one.event_type === 'booking.cancelled' && one.data.id === data.id && one.occurred_at <= occurred_at,
    )
    .toSorted((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1));
  const stay = stays.find(({ reservation_id }) => reservation_id === data.id);
  const isPaid = stay?.postings?.some(({ kind, method }) => kind === 'payment' && method === 'BANK_TRANSFER');
  const name = `stay ${data.id} was restored`;
  return [
    ...(ends.at(-1)?.actor.startsWith('system:')
      ? []
      : [`${name}, and ${ends.at(-1)?.actor} had cancelled it`]),
    ...(isPaid ? [] : [`${name} by no transfer`]),
  ];
};

/** Transactions of which the service has refused every report, when nothing is in their way any more. */
export const untakenProblems = ({ transactions }: HostBank): string[] =>
  transactions
    .filter(({ reports, isTaken }) => reports > 0 && !isTaken)
    .map(({ id, reports }) => `${id} was reported ${reports} times, and never taken`);

/** A bank's own id as it is wherever it is shown; it names the team. */
const bankId = /FT(\d+)X\d+/g;

/** Nothing of what comes to the accounts of a team is shown to others, and guests are shown its accounts from their time on. */
export const shownProblems = (
  items: readonly Item[],
  { sent }: Pick<Answers, 'sent'>,
  town: Pick<Town, 'hostBank'>,
): string[] => {
  const stays = itemsOf<Stay>(items, 'Reservation');
  return sent.flatMap(({ who, request, reply, by }) => {
    if (!reply) return [];
    const teams = new Set([...reply.text.matchAll(bankId)].map(([, team]) => Number(team)));
    const name = `${who.name} ${request.verb}`;
    const shown = (reply.json ?? {}) as {
      id?: number;
      master_reservation_id?: number;
      transfer?: ShownTransfer | null;
    };
    const { id, master_reservation_id: order = id, transfer } = shown;
    const account = town.hostBank.accounts.find(({ number }) => number === transfer?.account_number);
    const hosts = stays
      .filter(({ reservation_id, order_id }) => reservation_id === order || order_id === order)
      .map(({ team_id }) => team_id);
    return [
      ...[...teams]
        .filter((team) => team !== who.team)
        .map((team) => `${name} was shown transactions of team ${team}`),
      ...(transfer && (!account || !hosts.includes(account.team) || account.from > by + 1000)
        ? [`${name} was shown the account ${transfer.account_number} for stay ${order}`]
        : []),
    ];
  });
};

/** What hosts are shown is what the bank has, and what waits for it. */
export const listProblems = async (items: readonly Item[], town: Town): Promise<string[]> => {
  const ask = async (host: Town['hosts'][number], verb: string, path: string, query = {}) =>
    (await town.must(host, { verb, method: 'GET', path: `/api/v1${path}`, query })).json;
  const ofHost = async (host: Town['hosts'][number]): Promise<string[]> => {
    const listed: { bank_reference: string; amount: number }[] = [];
    for (const state of ['OPEN', 'MATCHED', 'RETURNED'])
      for (let page = 1, more = true; more; page++) {
        const { items: some, total } = (await ask(host, 'listTransfers', '/team/transfers', {
          state,
          limit: 100,
          page,
        })) as {
          items: typeof listed;
          total: number;
        };
        listed.push(...some);
        more = some.length > 0 && page * 100 < total;
      }
    const textOf = (all: readonly { id: string; amount: number }[]): string =>
      all
        .map(({ id, amount }) => `${id} ${amount}`)
        .toSorted()
        .join();
    const taken = town.hostBank.transactions.filter(
      ({ team, kind, isTaken }) => team === host.team && kind === 'in' && isTaken,
    );
    const [theirs, ours] = [listed.map((one) => ({ id: one.bank_reference, amount: one.amount })), taken].map(
      textOf,
    );
    const { transfers_due } = (await ask(host, 'readToday', '/today')) as {
      transfers_due: { id: number; reference: string }[];
    };
    const due = itemsOf<Stay>(items, 'Reservation').filter(
      ({ team_id, payment_method, payment_status, state }) =>
        team_id === host.team &&
        payment_method === 'BANK_TRANSFER' &&
        payment_status === 'PENDING' &&
        state === 'CONFIRMED',
    );
    const shown = new Set(transfers_due.map(({ id }) => id));
    return [
      ...(theirs === ours ? [] : [`${host.name} is shown the transfers ${theirs}, the bank has ${ours}`]),
      ...due
        .filter(({ reservation_id }) => !shown.has(reservation_id))
        .map(
          ({ reservation_id }) => `${reservation_id} waits for a transfer, and ${host.name} is not shown it`,
        ),
    ];
  };
  return (await Promise.all(town.hosts.map(ofHost))).flat();
};
