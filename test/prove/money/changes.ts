import {
  addAdjustment,
  changeBooking,
  changeExternalBooking,
  removeAdjustment,
} from '../../../shared/domain/checkout/index.ts';
import { type Act, amountLike, type Effect, type Scene, stayOf } from './act.ts';
import {
  adjustable,
  type Asking,
  changeable,
  changeNow,
  opensTime,
  paidFirst,
  purseOf,
  settle,
} from './ledger.ts';
import {
  type Adjustment,
  type Asked,
  atPrice,
  endTakes,
  isCollected,
  kept,
  priceOf,
  type Purse,
} from './purse.ts';
import { dateAfter } from './scene.ts';

const hour = 3_600_000;
/** The lifetime of the page of a change that a guest or partner asks for; a host's has that of every page. */
const guestHoldMs = 15 * 60_000;

/** How one asks for a change, beside what a model needs of it. */
interface Wish extends Asking {
  /** Only the price. */
  isAdjustment: boolean;
  /** Another price, by the host's word. */
  isOwnPrice: boolean;
  namesGuests: boolean;
  token?: string | undefined;
}

/** Whether a guest or partner may still change the stay: until the end of the free cancellation (D84). */
const isFree = ({ terms, firstCheckIn }: Purse, at: number): boolean => {
  const [first] = terms;
  return (
    first?.refund_percent === 100 &&
    first.keep_nights === 0 &&
    at <= firstCheckIn - first.until_hours_before * hour
  );
};

const mayChange = (purse: Purse, asked: Asked, wish: Wish): boolean => {
  const { state, awaited, method, status, isAuthorised } = purse;
  if (!(wish.isAdjustment ? adjustable : changeable).includes(state)) return false;
  if (state === 'CHECKED_IN' && wish.namesGuests) return false;
  if (wish.by !== 'owner' && !isFree(purse, wish.at)) return false;
  const isOver = status === 'PENDING' && endTakes(purse) && (purse.payUntil ?? Infinity) <= wish.at;
  if (isOver && state !== 'CHECKED_IN') return false;
  if (wish.isOwnPrice && isCollected(purse)) return false;
  if (purse.isGivenUp && opensTime(purse, priceOf(asked), wish.by)) return false;
  if (wish.token !== undefined) {
    const isPaid = status === 'PAID' || kept(purse) > 0;
    if (method !== 'ONLINE_GATEWAY' || isCollected(purse) || !isPaid || wish.chargeLater) return false;
  }
  if (awaited?.isCharging || priceOf(asked) < 0 || asked.adjustments.length > 10) return false;
  return !(state === 'PENDING' && isAuthorised && priceOf(asked) !== purse.total);
};

const isSame = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a change does (D84): at once, or with its payment. */
const changing = (
  scene: Scene,
  askedOf: (purse: Purse) => Asked | undefined,
  wish: Wish,
): Pick<Act, 'effects'> => {
  const { id } = scene.purse;
  const begin = stayOf(id, (purse) => {
    const asked = askedOf(purse);
    if (!asked || !mayChange(purse, asked, wish)) return false;
    const lacking = paidFirst(purse, asked, wish);
    if (lacking === undefined) {
      if (isSame(asked, purse.asked)) delete purse.awaited;
      else changeNow(purse, asked, wish);
      return true;
    }
    if (wish.token !== undefined && !scene.world.bank.gateway.takesTokens) return false;
    const { awaited } = purse;
    const isSamePage = awaited?.due === lacking && awaited.by === wish.by && isSame(asked, awaited.asked);
    if (isSamePage && wish.token === undefined && scene.world.now < (awaited.endsAt ?? Infinity)) return true;
    purse.awaited = {
      ...{ payment: -1, asked, due: lacking, by: wish.by, isCharging: wish.token !== undefined },
      ...(wish.by === 'owner' ? {} : { endsAt: wish.at + guestHoldMs }),
    };
    return true;
  });
  if (wish.token === undefined) return { effects: [begin] };
  const finish: Effect = (ledger) => {
    const purse = purseOf(ledger, id);
    const charge = scene.world.unknown(ledger).find(({ kind }) => kind === 'token');
    if (charge) settle(ledger, charge, scene.world.now);
    else if (!purse.awaited?.isCharging) return true;
    delete purse.awaited;
    // Declined, or cancelled meanwhile: then it goes back.
    return purse.entries.some(({ payment }) => payment === charge?.payment_id && charge) || 'declined';
  };
  return { effects: [begin, finish] };
};

const flagsOf = ({ draw }: Scene) => ({
  ...(draw.chance(35) ? { as_credit: true } : {}),
  ...(draw.chance(50) ? { charge_later: true } : {}),
});

const wishOf = (scene: Scene, flags: ReturnType<typeof flagsOf>, given: Partial<Wish>): Wish => ({
  ...{ at: scene.world.now, by: 'owner', isAdjustment: false, isOwnPrice: false, namesGuests: false },
  ...{ asCredit: flags.as_credit === true, chargeLater: flags.charge_later === true },
  ...given,
});

/** Other dates or another party, asked for by anyone; the host may keep the price. */
const changeStay = (scene: Scene): Act => {
  const { draw, purse, by: booker } = scene;
  const isHost = draw.chance(55);
  const by = isHost ? 'owner' : booker;
  const [nights, guests] = [1 + draw.below(4), 1 + draw.below(6)];
  const drawn = draw.pick(['nights', 'guests', 'both', 'dates'] as const);
  // The first day may be over, and the other request means the dates of before.
  const names = drawn === 'dates' && (scene.isArrived || scene.isBeside) ? 'nights' : drawn;
  const shift = names === 'dates' ? draw.below(5) : purse.asked.shift;
  const namesGuests = names === 'guests' || names === 'both';
  const flags = isHost ? flagsOf(scene) : {};
  const keeps = isHost && draw.chance(25);
  const key = keyOf(scene);
  const token = draw.chance(25) ? draw.pick(['tok_ok', 'tok_ok', 'tok_declined']) : undefined;
  const given = {
    ...(names === 'dates' ? { check_in_date: dateAfter(shift) } : {}),
    ...(names === 'guests' ? {} : { check_out_date: dateAfter(shift + nights) }),
    ...(namesGuests ? { guest_number: guests } : {}),
    ...(keeps ? { price: 'KEEP' as const } : {}),
    ...(token === undefined ? {} : { payment_gateway_token: token }),
    ...flags,
  };
  const wish = wishOf(scene, flags, { by, token, namesGuests: names !== 'nights', isOwnPrice: keeps });
  const askedOf = (one: Purse): Asked | undefined => {
    const begins = names === 'dates' ? shift : one.asked.shift;
    const asked = {
      ...one.asked,
      shift: begins,
      ...(names === 'guests' ? {} : { nights: shift + nights - begins }),
      ...(namesGuests ? { guests } : {}),
    };
    if (asked.nights < 1) return undefined;
    return keeps ? atPrice(asked, one.total, key) : asked;
  };
  return {
    text: `${by} changes ${purse.id}: ${JSON.stringify(given)}`,
    run: (as) =>
      by === 'partner'
        ? changeExternalBooking(as.partner, purse.id, given)
        : changeBooking(by === 'owner' ? as.owner : as.guest, purse.id, given),
    ...changing(scene, askedOf, wish),
  };
};

/** Names an adjustment in the ledger. */
const keyOf = ({ draw, world }: Scene): string => `${world.lines.length} ${draw.below(1_000_000)}`;

const adjustmentLike = (scene: Scene): Adjustment => {
  const { draw } = scene;
  const key = keyOf(scene);
  if (draw.chance(30))
    return { percent: draw.chance(50) ? -1 - draw.below(40) : 1 + draw.below(40), reason: 'RELOCATION', key };
  const amount = amountLike(draw, 0);
  return draw.chance(60)
    ? { amount: -amount, reason: 'GOODWILL', key }
    : { amount, reason: 'SURCHARGE', key };
};

const adjust = (scene: Scene): Act => {
  const { purse } = scene;
  const [adjustment, flags] = [adjustmentLike(scene), flagsOf(scene)];
  const { key: _, ...given } = { ...adjustment, ...flags };
  const wish = wishOf(scene, flags, { isAdjustment: true, isOwnPrice: true });
  return {
    text: `adjusts ${purse.id} by ${JSON.stringify(given)}`,
    run: ({ owner }) => addAdjustment(owner, purse.id, { label: 'A word', ...given } as never),
    ...changing(
      scene,
      (one) => ({ ...one.asked, adjustments: [...one.asked.adjustments, adjustment] }),
      wish,
    ),
  };
};

const unadjust = (scene: Scene): Act => {
  const { draw, purse, world } = scene;
  const at = draw.below(purse.asked.adjustments.length + (draw.chance(20) ? 1 : 0));
  const ids = world.adjustments(purse.id).map(({ id }) => id);
  const wish = wishOf(scene, {}, { isAdjustment: true, isOwnPrice: true });
  const id = ids[at] ?? 1;
  const key = ids[at] === undefined ? undefined : purse.asked.adjustments[at]?.key;
  return {
    text: `takes the adjustment ${at + 1} of ${purse.id} out`,
    run: ({ owner }) => removeAdjustment(owner, purse.id, id),
    ...changing(
      scene,
      (one) =>
        one.asked.adjustments.some((other) => other.key === key)
          ? { ...one.asked, adjustments: one.asked.adjustments.filter((other) => other.key !== key) }
          : undefined,
      wish,
    ),
  };
};

const unadjustAll = (scene: Scene): Act => {
  const { purse } = scene;
  const flags = flagsOf(scene);
  const wish = wishOf(scene, flags, { isAdjustment: true, isOwnPrice: true });
  return {
    text: `takes all adjustments of ${purse.id} out ${JSON.stringify(flags)}`,
    run: ({ owner }) => changeBooking(owner, purse.id, { adjustments: [], ...flags }),
    ...changing(scene, (one) => ({ ...one.asked, adjustments: [] }), wish),
  };
};

export const changeActs = { changeStay, adjust, unadjust, unadjustAll } satisfies Record<
  string,
  (scene: Scene) => Act
>;
