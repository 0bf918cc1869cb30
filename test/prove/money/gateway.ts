import { reconcilePayments } from '../../../shared/domain/payment/reconcile-payments.ts';
import { type Act, always, type As, type Draws, type Effect } from './act.ts';
import { isStillAwaited, type Ledger, settle } from './ledger.ts';
import { askAboutHold, giveUpHold } from './held.ts';
import type { World } from './world.ts';

/** A report of the gateway arrives, and perhaps comes again. */
export const reportAct = (world: World, draw: Draws, isKept: boolean): Act | undefined => {
  const report = draw.chance(70) ? world.reports[0] : draw.pick(world.reports);
  if (!report) return undefined;
  if (!isKept) world.reports.splice(world.reports.indexOf(report), 1);
  const charge = world.bank.find(report.reference);
  if (charge?.isHold)
    return {
      text: `report of ${report.reference}`,
      run: ({ deps }) => world.deliver(report, deps),
      effects: [giveUpHold, askAboutHold].map((ask) =>
        always((ledger) => askAbout(world, ledger, charge.payment_id, ask)),
      ),
      optionalFrom: report.isFirst ? undefined : 0,
    };
  if (charge?.state !== 'paid') return undefined;
  const others = always((ledger) => {
    for (const one of world.unknown(ledger))
      if (one.payment_id === charge.payment_id) settle(ledger, one, world.now);
  });
  return {
    text: `report of ${report.reference}`,
    run: ({ deps }) => world.deliver(report, deps),
    effects: [always((ledger) => settle(ledger, charge, world.now)), others],
    optionalFrom: report.isFirst ? undefined : 0,
  };
};

/** The gateway is asked about deposits, or about one. */
const askAbout = (world: World, { purses }: Ledger, payment?: number, ask = askAboutHold): void => {
  for (const purse of purses) {
    const page = world.bank.charges.find(({ payment_id }) => payment_id === purse.hold?.payment);
    if (payment === undefined || payment === purse.hold?.payment) ask(purse, page, world.now);
  }
};

/** The schedule asks about all payments, at a time at which the open ones are due. */
export const reconcileAct = (world: World, ledger: Ledger, isBeside = false): Act => {
  const run = async ({ deps }: As) => {
    await reconcilePayments(deps);
    await world.lookUp();
    await reconcilePayments(deps);
  };
  const known = becomingKnown(world, ledger, isBeside);
  // A change that another request asks for meanwhile is given up by the next run.
  return { text: 'reconciles', run, ...known, ...(isBeside && { optionalFrom: known.effects.length - 1 }) };
};

/** Whatever was paid becomes known, in any order; changes that were not paid in time end. */
export const becomingKnown = (
  world: World,
  before: Ledger,
  isBeside = false,
): { effects: Effect[]; anyOrder: number } => {
  const charges = world.unknown(before);
  const held = before.purses.flatMap(({ hold }) => hold?.payment ?? []);
  const unpaid = before.purses.flatMap(({ awaited }) =>
    awaited && !isBeside && !charges.some(({ payment_id }) => payment_id === awaited.payment)
      ? awaited.payment
      : [],
  );
  const first = [
    ...charges.map((charge) => always((ledger) => settle(ledger, charge, world.now))),
    ...held.map((payment) => always((ledger) => askAbout(world, ledger, payment))),
    ...unpaid.map((payment) => always((ledger) => endChanges(world, ledger, payment))),
  ];
  const effects = [
    ...first,
    always((ledger) => {
      for (const charge of world.unknown(ledger)) settle(ledger, charge, world.now);
      askAbout(world, ledger);
    }),
    always((ledger) => endChanges(world, ledger)),
  ];
  return { effects, anyOrder: first.length };
};

/** Changes that were not paid in time end, or one of them. */
const endChanges = ({ now }: World, { purses }: Ledger, payment?: number): void => {
  for (const purse of purses) {
    const { awaited } = purse;
    if (!awaited || (payment !== undefined && awaited.payment !== payment)) continue;
    const isOver = awaited.isCharging || (awaited.endsAt ?? Infinity) <= now;
    if (isOver || !isStillAwaited(purse, awaited)) delete purse.awaited;
  }
};
