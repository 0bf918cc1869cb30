import fc from 'fast-check';
import { blocks, homeNames, type HomeName, slots, type Who } from './scene.ts';

/** A schedule as plain data: who asks for what, in which order the steps of all of them come, and what goes wrong. */
export interface Plan {
  sessions: Session[];
  /** Which of the waiting steps is next, by its position; the first one when there are no more choices. */
  choices: number[];
  faults: Fault[];
  clock: ClockMove[];
}

/** Requests of one caller, one after the other. Two sessions may be of one caller. */
export interface Session {
  who: Who;
  requests: Asking[];
}

export interface StayWish {
  home: HomeName;
  slot: number;
}

export type Wish =
  | { verb: 'hold' | 'confirm'; stays: StayWish[] }
  | { verb: 'confirmHeld' | 'extend' | 'release' | 'cancel' | 'cancelExternal' | 'unblock'; ref: number }
  | { verb: 'book'; stays: StayWish[]; external: number | null }
  | { verb: 'block'; home: HomeName; slot: number }
  | { verb: 'hours'; home: HomeName }
  | { verb: 'edit'; change: Edit };

export type Edit = 'pause' | 'publish' | 'archive' | 'attach' | 'detach';

/** A wish, or the repetition of an earlier one under the same Idempotency-Key. */
export type Asking =
  { wish: Wish; keyed: boolean; repeats?: undefined } | { repeats: number; wish?: undefined; keyed: true };

export const faultKinds = [
  'lost reply, SDK retries',
  'lost reply, SDK gives up',
  'request lost',
  'request arrives late',
  'transaction conflict',
  'throttled',
  'crash before the call',
  'crash after the call',
  'torn or partial read',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** Which call of the table, counted over all sessions. */
  call: number;
  kind: FaultKind;
}

/** The clock moves by itself, or to the end of the soonest lock, or expired items are swept. */
export type ClockMove = { by: number } | { toExpiry: number } | { sweep: true };

const oneOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const homeWeights: fc.Arbitrary<HomeName> = fc.oneof(
  { weight: 6, arbitrary: oneOf<HomeName>('parent', 'one', 'two', 'lone') },
  { weight: 1, arbitrary: oneOf(...homeNames) },
);

const stay: fc.Arbitrary<StayWish> = fc.record({
  home: homeWeights,
  slot: fc.oneof(
    { weight: 3, arbitrary: oneOf(0, 1, 4) },
    { weight: 1, arbitrary: fc.nat(slots.length - 1) },
  ),
});

const stays = fc.oneof(
  { weight: 3, arbitrary: fc.array(stay, { minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.array(stay, { minLength: 2, maxLength: 3 }) },
);

const ref = fc.nat(3);

const guestWish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verb: oneOf('hold' as const), stays }) },
  { weight: 4, arbitrary: fc.record({ verb: oneOf('confirm' as const), stays }) },
  { weight: 5, arbitrary: fc.record({ verb: oneOf('confirmHeld' as const), ref }) },
  { weight: 2, arbitrary: fc.record({ verb: oneOf('extend' as const, 'release' as const), ref }) },
  { weight: 3, arbitrary: fc.record({ verb: oneOf('cancel' as const), ref }) },
  { weight: 1, arbitrary: fc.record({ verb: oneOf('hours' as const), home: homeWeights }) },
);

const hostWish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ verb: oneOf('block' as const), home: homeWeights, slot: fc.nat(blocks.length - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ verb: oneOf('unblock' as const, 'cancel' as const), ref }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: oneOf('edit' as const),
      change: oneOf<Edit>('attach', 'attach', 'detach', 'pause', 'publish', 'archive'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: oneOf('hours' as const), home: homeWeights }) },
);

const partnerWish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: oneOf('book' as const),
      stays: fc.array(stay, { minLength: 1, maxLength: 1 }),
      external: oneOf(null, null, 1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: oneOf('cancelExternal' as const), ref }) },
);

const ask = (wish: fc.Arbitrary<Wish>): fc.Arbitrary<Asking> => fc.record({ wish, keyed: fc.boolean() });

const repeat: fc.Arbitrary<Asking> = fc.record({ repeats: fc.nat(9), keyed: oneOf(true as const) });

const wishOf = <Verb extends Wish['verb']>(verb: Verb, rest: object): fc.Arbitrary<Wish> =>
  fc.record({ verb: oneOf(verb), ...rest }) as unknown as fc.Arbitrary<Wish>;

/** Requests that lead on from one to the next. */
const story = (...wishes: fc.Arbitrary<Wish>[]): fc.Arbitrary<Asking[]> =>
  fc.tuple(...wishes.map(ask)).map((asked) => [...asked]);

const own = { ref: oneOf(0, 0, 1, 2) };
const hold = wishOf('hold', { stays });
const confirmHeld = wishOf('confirmHeld', own);
const confirm = wishOf('confirm', { stays });
const cancel = wishOf('cancel', own);
const extend = wishOf('extend', own);
const release = wishOf('release', own);

const guestStories = [
  story(hold, confirmHeld),
  story(hold, confirmHeld, cancel),
  story(hold, extend, confirmHeld),
  story(hold, release, confirm),
  story(confirm, cancel),
  story(hold, hold, confirmHeld),
  story(extend, confirmHeld, hold),
];
const hostStories = [story(hostWish, hostWish), story(wishOf('block', { home: homeWeights, slot: fc.nat(3) }), wishOf('unblock', own))];
const partnerStories = [story(partnerWish, wishOf('cancelExternal', own))];

const session = (
  who: Who,
  wish: fc.Arbitrary<Wish>,
  stories: fc.Arbitrary<Asking[]>[],
): fc.Arbitrary<Session> =>
  fc.record({
    who: oneOf(who),
    requests: fc.oneof(
      ...stories,
      fc.array(fc.oneof({ weight: 4, arbitrary: ask(wish) }, { weight: 1, arbitrary: repeat }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(repeat, { minLength: 1, maxLength: 2 }),
    ),
  });

const anySession: fc.Arbitrary<Session> = fc.oneof(
  { weight: 5, arbitrary: session('an', guestWish, guestStories) },
  { weight: 4, arbitrary: session('binh', guestWish, guestStories) },
  { weight: 2, arbitrary: session('host', hostWish, hostStories) },
  { weight: 2, arbitrary: session('partner', partnerWish, partnerStories) },
);

const clockMove: fc.Arbitrary<ClockMove> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ toExpiry: oneOf(0, 0, -1, 1) }) },
  { weight: 1, arbitrary: fc.record({ by: oneOf(60_000, 14 * 60_000, 15 * 60_000, 2 * 3_600_000) }) },
  { weight: 1, arbitrary: oneOf({ sweep: true } as const) },
);

export const anyPlan = (steps = 120): fc.Arbitrary<Plan> =>
  fc.record({
    sessions: fc.array(anySession, { minLength: 2, maxLength: 5 }),
    choices: fc.array(fc.nat(11), { maxLength: steps, size: 'max' }),
    faults: fc.array(fc.record({ call: fc.nat(40), kind: oneOf(...faultKinds) }), { maxLength: 3 }),
    clock: fc.array(clockMove, { maxLength: 3 }),
  });
