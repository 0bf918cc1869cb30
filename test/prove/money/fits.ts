import { isPageOpen, type Scene } from './act.ts';
import type { changeActs } from './changes.ts';
import type { deskActs } from './desk.ts';
import { adjustable, changeable } from './ledger.ts';
import {
  credit,
  due,
  fell,
  isCollected,
  isLapsed,
  isUnpaid,
  kept,
  left,
  type Purse,
  waits,
} from './purse.ts';
import type { stayActs } from './stays.ts';
import { type holdActs, mayAskForHold } from './holds.ts';
import type { transferActs } from './transfers.ts';

export type ActName =
  | keyof typeof changeActs
  | keyof typeof deskActs
  | keyof typeof holdActs
  | keyof typeof stayActs
  | keyof typeof transferActs;

const has = (purse: Purse, isIn: (entry: Purse['entries'][number], id: number) => boolean): boolean =>
  purse.entries.some((entry, at) => isIn(entry, at + 1) && left(purse, at + 1) === entry.amount);

const isOpen = ({ state }: Purse): boolean => state === 'PENDING' || state === 'CONFIRMED';
const mayBePaid = (scene: Scene, purse: Purse): boolean => isUnpaid(purse) && !isPageOpen(scene, purse);

/** Whether something comes of a step: most of the others are left out, so that histories get somewhere. */
export const fits: Record<ActName, (scene: Scene) => boolean> = {
  payAtDesk: (scene) => scene.purse.state !== 'PENDING' && mayBePaid(scene, scene.purse),
  payRest: (scene) => waits(scene.purse) && mayBePaid(scene, scene.purse),
  correct: ({ purse }) => !fell(purse) && has(purse, ({ kind, by }) => kind === 'payment' && by === 'HOST'),
  charge: (scene) =>
    !fell(scene.purse) &&
    scene.purse.state !== 'PENDING' &&
    !(waits(scene.purse) && isPageOpen(scene, scene.purse)),
  uncharge: ({ purse }) => !fell(purse) && has(purse, ({ kind, of }) => kind === 'charge' && !of),
  refundByHand: ({ purse }) => (fell(purse) ? kept(purse) : credit(purse)) > 0,
  handOver: ({ purse }) => purse.entries.some(({ isToReturn }) => isToReturn),
  deposit: ({ purse }) =>
    purse.deposit > 0 && (!fell(purse) || has(purse, ({ kind }) => kind === 'deposit_taken')),
  holdCard: (scene) => scene.purse.hold?.isAuthorised === true || mayAskForHold(scene),
  askForDue: (scene) =>
    scene.purse.state !== 'PENDING' && due(scene.purse) > 0 && mayBePaid(scene, scene.purse),
  changeStay: ({ purse }) => changeable.includes(purse.state),
  adjust: ({ purse }) => adjustable.includes(purse.state) && !isCollected(purse),
  unadjust: ({ purse }) => adjustable.includes(purse.state) && purse.asked.adjustments.length > 0,
  unadjustAll: ({ purse }) => adjustable.includes(purse.state) && purse.asked.adjustments.length > 0,
  cancelStays: ({ purse }) => isOpen(purse),
  assign: ({ ledger, purse }) =>
    purse.state !== 'PENDING' &&
    (isUnpaid(purse) || isLapsed(purse)) &&
    ledger.transfers.some(({ state }) => state === 'OPEN'),
  sendBack: ({ ledger }) => ledger.transfers.some(({ state }) => state === 'OPEN'),
  extend: ({ purse }) => waits(purse) && purse.payUntil !== undefined && purse.method === 'BANK_TRANSFER',
  decline: ({ purse }) => purse.state === 'PENDING',
  accept: ({ purse }) => purse.state === 'PENDING',
  miss: ({ purse, isArrived }) => isArrived && purse.state === 'CONFIRMED',
  move: ({ purse, isArrived }) => isArrived && !fell(purse) && purse.state !== 'COMPLETED',
};
