import fc from 'fast-check';
import { blocks, homeNames, type HomeName, slots, type Who } from './scene.ts';

/** A schedule as data: the requests of each session, the order of their steps, and the faults. */
export interface Plan {
  sessions: Session[];
  /** The index of the next step among the waiting ones; the first one after the last choice. */
  choices: number[];
  faults: Fault[];
  clock: ClockMove[];
  weather: Weather;
}

const weatherKinds = [
  'index lag',
  'stale reads',
  'throttling',
  'unprocessed keys',
  'short pages',
  'late expiry',
] as const;
export type WeatherKind = (typeof weatherKinds)[number];

/** What the table does besides answering, and the seed that decides when. */
export interface Weather {
  seed: number;
  manners: readonly WeatherKind[];
}

export const calmWeather: Weather = { seed: 0, manners: [] };

/** Successive requests of one caller. Two sessions may have the same caller. */
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

/** A request, or a repeat of an earlier one with the same Idempotency-Key. */
export type Asking =
  | { wish: Wish; keyed: boolean; repeats?: undefined }
  | { repeats: number; wish?: undefined; keyed: true };

const faultKinds = [
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

interface Fault {
  /** The number of the table call, over all sessions. */
  call: number;
  kind: FaultKind;
}

/** The clock advances, or moves to the next expiry, or expired items are deleted. */
export type ClockMove = { by: number } | { toExpiry: number } | { sweep: true };

const oneOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const ref = fc.nat(3);
const own = { ref: oneOf(0, 0, 1, 2) };

const wishOf = (verb: Wish['verb'], rest: object): fc.Arbitrary<Wish> =>
  fc.record({ verb: oneOf(verb), ...rest }) as unknown as fc.Arbitrary<Wish>;

const ask = (wish: fc.Arbitrary<Wish>): fc.Arbitrary<Asking> => fc.record({ wish, keyed: fc.boolean() });

const repeat: fc.Arbitrary<Asking> = fc.record({ repeats: fc.nat(9), keyed: oneOf(true as const) });

/** A sequence of requests that build on each other. */
const story = (...wishes: fc.Arbitrary<Wish>[]): fc.Arbitrary<Asking[]> =>
  fc.tuple(...wishes.map(ask)).map((asked) => [...asked]);

interface Wishes {
  mixed: fc.Arbitrary<Wish>;
  stories: fc.Arbitrary<Asking[]>[];
}

const guestWishes = (home: fc.Arbitrary<HomeName>, stay: fc.Arbitrary<StayWish>): Wishes => {
  const stays = fc.oneof(
    { weight: 3, arbitrary: fc.array(stay, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(stay, { minLength: 2, maxLength: 3 }) },
  );
  const hold = wishOf('hold', { stays });
  const confirm = wishOf('confirm', { stays });
  const confirmHeld = wishOf('confirmHeld', own);
  const [extend, release, cancel] = [wishOf('extend', own), wishOf('release', own), wishOf('cancel', own)];
  return {
    mixed: fc.oneof(
      { weight: 4, arbitrary: hold },
      { weight: 4, arbitrary: confirm },
      { weight: 5, arbitrary: wishOf('confirmHeld', { ref }) },
      { weight: 1, arbitrary: wishOf('extend', { ref }) },
      { weight: 1, arbitrary: wishOf('release', { ref }) },
      { weight: 3, arbitrary: wishOf('cancel', { ref }) },
      { weight: 1, arbitrary: wishOf('hours', { home }) },
    ),
    stories: [
      story(hold, confirmHeld),
      story(hold, confirmHeld, cancel),
      story(hold, extend, confirmHeld),
      story(hold, release, confirm),
      story(confirm, cancel),
      story(confirm, cancel, confirm),
      story(hold, hold, confirmHeld),
      story(extend, confirmHeld, hold),
    ],
  };
};

const hostWishes = (home: fc.Arbitrary<HomeName>, edits: readonly Edit[]): Wishes => {
  const block = wishOf('block', { home, slot: fc.nat(blocks.length - 1) });
  const mixed = fc.oneof(
    { weight: 4, arbitrary: block },
    { weight: 1, arbitrary: wishOf('unblock', { ref }) },
    { weight: 1, arbitrary: wishOf('cancel', { ref }) },
    { weight: 2, arbitrary: wishOf('edit', { change: oneOf(...edits) }) },
    { weight: 1, arbitrary: wishOf('hours', { home }) },
  );
  return { mixed, stories: [story(mixed, mixed), story(block, wishOf('unblock', own))] };
};

const partnerWishes = (stay: fc.Arbitrary<StayWish>): Wishes => {
  const stays = fc.array(stay, { minLength: 1, maxLength: 1 });
  const book = wishOf('book', { stays, external: oneOf(null, null, 1, 2) });
  const cancel = wishOf('cancelExternal', own);
  return {
    mixed: fc.oneof(
      { weight: 3, arbitrary: book },
      { weight: 1, arbitrary: wishOf('cancelExternal', { ref }) },
    ),
    stories: [story(book, cancel), story(book, cancel, book)],
  };
};

const session = (who: Who, { mixed, stories }: Wishes): fc.Arbitrary<Session> =>
  fc.record({
    who: oneOf(who),
    requests: fc.oneof(
      ...stories,
      fc.array(fc.oneof({ weight: 4, arbitrary: ask(mixed) }, { weight: 1, arbitrary: repeat }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(repeat, { minLength: 1, maxLength: 2 }),
    ),
  });

/** Sessions over these homes and times. */
const sessionsOver = (
  home: fc.Arbitrary<HomeName>,
  slot: fc.Arbitrary<number>,
  edits: readonly Edit[],
): fc.Arbitrary<Session[]> => {
  const stay = fc.record({ home, slot });
  const guest = guestWishes(home, stay);
  const one = fc.oneof(
    { weight: 5, arbitrary: session('an', guest) },
    { weight: 4, arbitrary: session('binh', guest) },
    { weight: 2, arbitrary: session('host', hostWishes(home, edits)) },
    { weight: 2, arbitrary: session('partner', partnerWishes(stay)) },
  );
  return fc.array(one, { minLength: 2, maxLength: 5 });
};

const anySlot = fc.oneof(
  { weight: 3, arbitrary: oneOf(0, 1, 4) },
  { weight: 1, arbitrary: fc.nat(slots.length - 1) },
);

const edit = (...changes: Edit[]): fc.Arbitrary<Asking[]> =>
  story(...changes.map((change) => wishOf('edit', { change: oneOf(change) })));

/** A host who moves a home to another calendar while it is being booked. */
const mover: Wishes = {
  mixed: wishOf('edit', { change: oneOf<Edit>('attach', 'detach', 'pause', 'publish', 'archive') }),
  stories: [edit('attach', 'detach'), edit('attach', 'detach', 'attach'), edit('attach', 'archive')],
};

const edits: readonly Edit[] = ['attach', 'attach', 'detach', 'pause', 'publish', 'archive'];

const moves = fc
  .tuple(
    session('host', mover),
    sessionsOver(oneOf<HomeName>('moved', 'moved', 'parent'), oneOf(0, 0, 4), edits),
  )
  .map(([host, others]) => [host, ...others]);

/** One home; a family; a home that changes its parent; everything. */
const sessions = fc.oneof(
  { weight: 2, arbitrary: moves },
  { weight: 2, arbitrary: sessionsOver(oneOf<HomeName>('lone'), oneOf(0, 0, 4), edits) },
  { weight: 3, arbitrary: sessionsOver(oneOf<HomeName>('parent', 'one', 'two'), oneOf(0, 0, 1, 4), edits) },
  {
    weight: 3,
    arbitrary: sessionsOver(oneOf<HomeName>('parent', 'one', 'two', 'lone', 'moved'), anySlot, edits),
  },
  { weight: 1, arbitrary: sessionsOver(oneOf(...homeNames), anySlot, edits) },
);

const clockMove: fc.Arbitrary<ClockMove> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ toExpiry: oneOf(0, 0, -1, 1) }) },
  { weight: 1, arbitrary: fc.record({ by: oneOf(60_000, 14 * 60_000, 15 * 60_000, 2 * 3_600_000) }) },
  { weight: 1, arbitrary: oneOf({ sweep: true } as const) },
);

export const anyPlan = (): fc.Arbitrary<Plan> =>
  fc.record({
    sessions,
    choices: fc.array(fc.nat(11), { maxLength: 120, size: 'max' }),
    faults: fc.array(fc.record({ call: fc.nat(40), kind: oneOf(...faultKinds) }), { maxLength: 3 }),
    clock: fc.array(clockMove, { maxLength: 4 }),
    weather: fc.record({ seed: fc.nat(), manners: fc.subarray([...weatherKinds]) }),
  });
