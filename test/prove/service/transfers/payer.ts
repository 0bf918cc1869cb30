import type { Town } from '../town.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What a guest is shown of how to pay by transfer. */
export interface ShownTransfer {
  account_number: string;
  amount: number;
  reference: string;
  expires_at: string | null;
}

/** What banks make of what guests write; the last three name no order. */
const texts: readonly ((reference: string) => string)[] = [
  (reference) => reference,
  (reference) => `MBVCB.3278907687.${reference}.CT tu 0451000 toi TRAN THI LINH`,
  (reference) => `ck tien phong ${reference.slice(0, 5)} ${reference.slice(5).toLowerCase()} cam on`,
  (reference) => `tien phong ${reference.slice(0, -1)}`,
  (reference) => `${reference.slice(0, 4)}${reference.slice(5)} tien phong`,
  () => 'tien phong',
];
const named = 3;

/** A guest who sees how to pay by transfer mostly does it once: in time, too late, too little, too much, with a reference or without. */
export const payByTransfer = (town: Town, shown: ShownTransfer | null | undefined): void => {
  if (!shown) return;
  const { sim, hostBank, payers } = town;
  const { account_number: account, reference, amount, expires_at } = shown;
  const paid = payers.get(reference) ?? 0;
  if (paid > 0 && sim.chance(0.7)) return;
  payers.set(reference, paid + 1);
  const dice = sim.random();
  if (dice < 0.15) return;
  const endsIn = expires_at === null ? 0 : Math.max(0, Date.parse(expires_at) - sim.now());
  const isLate = endsIn < 4 * hourMs && dice < 0.5;
  const delay = isLate ? endsIn + sim.between(6, 90) * minuteMs : sim.between(0, 60) * minuteMs;
  const team = hostBank.accounts.find(({ number }) => number === account)?.team;
  if (team === undefined) {
    town.problems.push(`${reference} is to be paid to ${account}, which is the account of no host`);
    return;
  }
  const sum = sim.pick([amount, amount, amount, amount, Math.ceil(amount / 2), amount + 50_000]);
  const place = sim.chance(0.8) ? sim.whole(named) : named + sim.whole(texts.length - named);
  const kind = sim.chance(0.05) ? ('on another account' as const) : ('in' as const);
  const money = {
    ...{ team, amount: sum, text: texts[place]!(reference), kind },
    account: kind === 'in' ? account : `19036${account.slice(-4)}`,
    ...(place < named ? { reference } : {}),
  };
  const times = sim.chance(0.06) ? 2 : 1;
  for (let time = 0; time < times; time++) sim.later(delay + time * minuteMs, () => hostBank.take(money));
};
