import { changeHold } from '../../../shared/domain/payment/index.ts';
import { type Act, type Scene, stayOf } from './act.ts';
import { depositLeft, endHold, takesDeposit } from './held.ts';
import { purseOf } from './ledger.ts';
import { depositOf, type Purse } from './purse.ts';

const hour = 3_600_000;
const card = { method: 'ONLINE_GATEWAY' } as const;

/** From when on the deposit of a stay can be authorised. */
const opensAt = ({ checkIn }: Purse): number => checkIn - 48 * hour;

export const mayAskForHold = ({ world, purse }: Pick<Scene, 'world' | 'purse'>): boolean =>
  world.bank.gateway.takesTokens &&
  world.now >= opensAt(purse) &&
  takesDeposit(purse) &&
  !purse.hold?.isAuthorised &&
  depositLeft(purse) > 0;

const askHold = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const amount =
    draw.chance(70) && depositLeft(purse) > 0 ? depositLeft(purse) : (1 + draw.below(12)) * 50_000;
  const at = world.now;
  return {
    text: `asks for ${amount} of the deposit of ${purse.id} on a card`,
    run: ({ owner }) => changeHold(owner, purse.id, { action: 'TAKE', amount, ...card }),
    effects: [
      stayOf(purse.id, (one) => {
        if (!mayAskForHold({ world, purse: one }) || amount > depositLeft(one)) return false;
        if (one.hold?.amount === amount && at < one.hold.endsAt) return true;
        one.hold = { amount, endsAt: at + 24 * hour, isAuthorised: false };
        return true;
      }),
    ],
  };
};

const decideHold = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const { authorised } = depositOf(purse);
  const action = draw.pick(['RETURN', 'KEEP', 'KEEP'] as const);
  const part = (1 + draw.below(12)) * 50_000;
  const amount = draw.chance(action === 'RETURN' ? 85 : 30) && authorised > 0 ? authorised : part;
  const captures = action === 'KEEP' ? amount : 0;
  const note = action === 'KEEP' ? { note: 'A broken lamp' } : {};
  // By a run of the schedule that died before it could note it.
  const isReleased = world.bank.charges.some(
    ({ payment_id, state }) => payment_id === purse.hold?.payment && state === 'closed',
  );
  return {
    text: `deposit on a card of ${purse.id}: ${action} ${amount}`,
    run: ({ owner }) => changeHold(owner, purse.id, { action, amount, ...card, ...note }),
    effects: [
      stayOf(purse.id, (one) => {
        const { hold } = one;
        if (!hold?.isAuthorised || (hold.captures ?? captures) !== captures) return false;
        if (captures > hold.amount || (captures === 0 && amount !== hold.amount)) return false;
        hold.captures = isReleased ? 0 : captures;
        return true;
      }),
      (ledger) => {
        const one = purseOf(ledger, purse.id);
        if (one.hold?.captures !== undefined) endHold(one, one.hold.captures, world.now);
        return isReleased && captures > 0 ? 'declined' : true;
      },
    ],
  };
};

/** What comes next for the deposit of a stay. */
const holdCard = (scene: Scene): Act =>
  scene.purse.hold?.isAuthorised && scene.draw.chance(90) ? decideHold(scene) : askHold(scene);

export const holdActs = { holdCard } satisfies Record<string, (scene: Scene) => Act>;
