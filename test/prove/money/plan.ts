import { seeded } from '../schedule/virtual.ts';
import { type ActName, fits } from './fits.ts';
import type { Booked } from './scene.ts';
import type { Crash } from './world.ts';

/** What the world does by itself. */
type Turn =
  | ('transfer' | 'bankReport' | 'bankRepeat' | 'balance' | 'halfDay' | 'morning')
  | ('pay' | 'deliver' | 'lose' | 'repeat' | 'reconcile')
  | ('wait' | 'week' | 'newMonth' | 'arrive' | 'holdTime');

/** A step of a history. */
export interface Step {
  act: ActName | Turn;
  draws: readonly number[];
  crash?: Crash;
  /** A second clerk does this at the same time. */
  beside?: Omit<Step, 'beside' | 'crash'>;
}

/** A history as it is drawn: it goes the same way each time it is played. */
export interface Plan {
  seed: number;
  booked: Booked;
  steps: readonly Step[];
}

/** How often each step is drawn. */
const often: Record<ActName | Turn, number> = {
  ...{
    payAtDesk: 8,
    payRest: 3,
    correct: 5,
    charge: 6,
    uncharge: 4,
    refundByHand: 6,
    handOver: 5,
    deposit: 5,
  },
  ...{ askForDue: 5, changeStay: 12, adjust: 8, unadjust: 4, unadjustAll: 2, cancelStays: 4, decline: 1 },
  ...{
    accept: 4,
    miss: 3,
    move: 3,
    pay: 14,
    deliver: 12,
    lose: 2,
    repeat: 3,
    reconcile: 6,
    wait: 1,
    week: 1,
  },
  ...{ newMonth: 2, arrive: 2, balance: 1, halfDay: 1, morning: 1 },
  ...{ holdTime: 1, holdCard: 2 },
  ...{ transfer: 1, bankReport: 1, bankRepeat: 1, assign: 1, sendBack: 1, extend: 1 },
};
const repeated = (times: Partial<Record<ActName | Turn, number>>): (ActName | Turn)[] =>
  Object.entries(times).flatMap(([name, many]) => Array.from({ length: many }, () => name as ActName | Turn));

const drawn = repeated(often);
/** More of them where the stay is paid by transfer, and where it has a payment plan. */
const ofTransfers = repeated({
  ...{ transfer: 28, bankReport: 32, bankRepeat: 6, assign: 12, sendBack: 1, extend: 4, wait: 6, week: 12 },
  ...{ charge: 6, uncharge: 6 },
});
const ofPlans = repeated({
  ...{ balance: 10, halfDay: 6, morning: 4, move: 6 },
  ...{ changeStay: 5, adjust: 5 },
});

/** A stay is paid and made longer by its guest, a part of that perhaps paid, until the time to pay is over. */
const extended: readonly (readonly (ActName | Turn)[])[] = [
  ['payRest', 'changeStay', 'changeStay', 'week'],
  ['payRest', 'changeStay', 'transfer', 'bankReport', 'week'],
];
/** What such a change draws first: of the first stay, not by the host, four nights, without a token. */
const byGuest = [0, 0.99, 0.9, 0, 0, 0, 0.99];

/** More of them where the listing asks for a security deposit that a card can authorise. */
const ofDeposits = repeated({
  holdCard: 110,
  pay: 30,
  deliver: 30,
  reconcile: 8,
  deposit: 8,
  cancelStays: 8,
});

/** What may come beside something else. */
const beside: (ActName | Turn)[] = [
  ...(Object.keys(fits) as ActName[]),
  ...(['deliver', 'deliver', 'repeat', 'reconcile', 'bankReport', 'bankRepeat', 'bankRepeat'] as const),
];

/** As often as they are drawn. */
export const actNames = drawn.filter((name): name is ActName => name in fits);

/** Draws a history from its seed. */
export const planOf = (seed: number): Plan => {
  const random = seeded(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const draws = () => Array.from({ length: 12 }, random);
  const stepOf = (steps: readonly (ActName | Turn)[]): Step => {
    const act = pick(steps);
    const step = { act, draws: draws() };
    if (random() < 0.12)
      return { ...step, crash: { at: below(3) >> 1, when: pick(['before', 'after'] as const) } };
    if (random() < 0.15) return { ...step, beside: { act: pick(beside), draws: draws() } };
    return step;
  };
  const drawnStay: Booked = {
    by: pick(['guest', 'guest', 'guest', 'host', 'partner']),
    method: pick(['CASH', 'BANK_TRANSFER', 'BANK_TRANSFER', 'PAGE', 'PAGE', 'TOKEN', 'TOKEN']),
    stays: pick([1, 1, 2]),
    isInstant: random() < 0.75,
    terms: below(5),
    gateway: below(3),
    deposit: pick([0, 500_000, 500_000]),
    plan:
      random() < 0.55
        ? { tenThousandths: pick([0, 300_000, 333_333, 500_000]), hours: pick([72, 72, 24, 0]) }
        : undefined,
  };
  // What is paid is changed by who booked it, and perhaps not paid in time (D147).
  const isExtended = drawnStay.method === 'BANK_TRANSFER' && drawnStay.isInstant && random() < 0.7;
  const booked: Booked = isExtended ? { ...drawnStay, by: pick(['guest', 'partner']), terms: 0 } : drawnStay;
  // What is unpaid or not accepted would be cancelled before its deposit can be authorised.
  const isSafe = booked.isInstant && (booked.by === 'partner' || ['CASH', 'TOKEN'].includes(booked.method));
  const isHeld = booked.deposit > 0 && booked.gateway < 2 && isSafe;
  const begin = [...(isHeld ? (['holdTime'] as const) : []), ...(isExtended ? pick(extended) : [])].map(
    (act): Step => ({ act, draws: act === 'changeStay' ? [...byGuest, ...draws()] : draws() }),
  );
  const steps = [
    ...drawn,
    ...(booked.method === 'BANK_TRANSFER' ? ofTransfers : []),
    ...(booked.plan ? ofPlans : []),
    ...(isHeld ? ofDeposits : []),
  ];
  return {
    seed,
    booked,
    steps: [...begin, ...Array.from({ length: 8 + below(14) + (isHeld ? 8 : 0) }, () => stepOf(steps))],
  };
};
