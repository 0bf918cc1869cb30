import type { Context } from '../../../shared/platform/context.ts';
import type { PartnerCaller, UserCaller } from '../../../shared/platform/auth.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { type Ledger, purseOf } from './ledger.ts';
import type { Purse } from './purse.ts';
import type { World } from './world.ts';

/** One transaction of a request, as the model has it: it changes the ledger; false or 'declined': the request is refused. */
export type Effect = (ledger: Ledger) => boolean | 'declined' | undefined;

/** A request with what it does to the money. */
export interface Act {
  text: string;
  run: (as: As) => Promise<unknown>;
  effects: readonly Effect[];
  /** The first so many of them may come in any order. */
  anyOrder?: number;
  /** From this place on they happen or not: the model does not say when. */
  optionalFrom?: number | undefined;
  /** Says what is wrong with the answer, by the ledger before and after. */
  answered?: (answer: unknown, before: Ledger, after: Ledger) => string | undefined;
}

/** The process that handles a request. */
export interface As {
  owner: Context<UserCaller>;
  guest: Context<UserCaller>;
  partner: Context<PartnerCaller>;
  deps: Dependencies;
}

/** What a step draws from: numbers from 0 to 1, the same at each play. */
export class Draws {
  readonly #draws: readonly number[];
  #at = 0;

  constructor(draws: readonly number[]) {
    this.#draws = draws;
  }

  below(end: number): number {
    return Math.floor((this.#draws[this.#at++ % this.#draws.length] ?? 0) * end);
  }

  chance(one: number): boolean {
    return this.below(100) < one;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }
}

/** What a step has at hand. */
export interface Scene {
  draw: Draws;
  world: World;
  ledger: Ledger;
  /** The stay that the step is about, as the ledger has it now. */
  purse: Purse;
  /** Who may cancel and change as the guest: the guest, a partner that collects; of what the host has booked the host alone. */
  by: 'guest' | 'partner' | 'owner';
  /** The day of the check-in has come. */
  isArrived: boolean;
  /** Another request comes at the same time. */
  isBeside: boolean;
}

/** Whether the page of the booking itself is open at the service. */
export const isPageOpen = ({ world, ledger }: Scene, purse: Purse): boolean =>
  world.payment(payerOf(ledger, purse))?.state === 'OPEN';

/** Returns whether a stay's page is open in a ledger that has gone on from the scene: it is not once it was paid meanwhile. */
export const pagesOpen = (scene: Scene): ((ledger: Ledger, purse: Purse) => boolean) => {
  const { paid, purses } = scene.ledger;
  const open = new Set(purses.filter((one) => isPageOpen(scene, one)).map(({ id }) => id));
  return (ledger, purse) => {
    const payer = payerOf(ledger, purse);
    return ledger.opened.includes(purse.id) || (open.has(purse.id) && ledger.paid[payer] === paid[payer]);
  };
};

const payerOf = ({ order }: Ledger, { id, isApart }: Purse): number => (isApart ? id : order);

export const stayOf = (id: number, change: (purse: Purse, ledger: Ledger) => boolean): Effect => {
  return (ledger) => change(purseOf(ledger, id), ledger);
};

/** What happens in any case. */
export const always =
  (change: (ledger: Ledger) => void): Effect =>
  (ledger) => {
    change(ledger);
    return true;
  };

/** An amount as people pay it: often exactly what is there. */
export const amountLike = (draw: Draws, wanted: number): number => {
  const kind = draw.below(5);
  if (kind < 2 && wanted > 0) return wanted;
  if (kind === 2) return 1 + draw.below(3_000_000);
  return (1 + draw.below(40)) * 50_000;
};
