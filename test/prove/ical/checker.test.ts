import { expect, it } from 'vitest';
import { toInstant } from '../../../shared/platform/time/time.ts';
import { Checker, emptyOutcome, type Own } from './checker.ts';
import { dateText, type Manner, type Nights, Platform, plainManner } from './platform.ts';
import { familyOf, firstDay, World } from './world.ts';

const hourMs = 3_600_000;
const nights: Nights = { from: firstDay + 2, to: firstDay + 4 };

/** A listing, or a house with rooms, a platform that follows the first of them, and what the checker says of it. */
const scene = async ({ children = 0, manner = {} }: { children?: number; manner?: Partial<Manner> } = {}) => {
  const listings = familyOf(children);
  const world = new World(listings, undefined);
  await world.open();
  const platform = new Platform('platform', listings[0]!.id, { ...plainManner, ...manner });
  world.platforms.push(platform);
  await world.follow(platform);
  const own: Own[] = [];
  const sell = async ({ from, to }: Nights, listing = listings[0]!): Promise<number> => {
    const id = (await world.book(listing.id, { from, to }))!;
    const [start_at, end_at] = [`${dateText(from)}T14:00:00`, `${dateText(to)}T12:00:00`];
    own.push({ id, listing, kind: 'stay', start_at, end_at });
    return id;
  };
  const giveUp = async (id: number) => {
    await world.cancel(id);
    own.splice(
      own.findIndex((one) => one.id === id),
      1,
    );
  };
  const checked = async () => {
    const outcome = emptyOutcome();
    await new Checker(world, own, outcome).check();
    return { tolerated: outcome.tolerated, problems: outcome.problems.map((text) => text.split(':')[0]) };
  };
  const poll = async () => {
    world.now += hourMs;
    await world.poll(platform);
  };
  return { world, platform, listings, sell, giveUp, checked, poll };
};

const none = { hidden: 0, joined: 0, twins: 0, explained: 0 };

it('what is sold and taken is no problem, and nothing is tolerated', async () => {
  const s = await scene();
  await s.sell(nights);
  s.platform.book({ from: nights.to, to: nights.to + 1 }, s.world.now);
  await s.poll();
  expect(await s.checked()).toEqual({ tolerated: none, problems: [] });
});

it('a night that is taken and not sold is a phantom, also where a platform merges blocks', async () => {
  const s = await scene({ manner: { merges: 'everything' } });
  await s.world.block(s.listings[0]!.id, dateText(nights.from));
  expect(await s.checked()).toEqual({ tolerated: none, problems: ['phantom'] });
});

it('nights cancelled there and still taken are phantoms, however exactly they were given before', async () => {
  const s = await scene();
  s.platform.book(nights, s.world.now);
  await s.poll();
  s.platform.cancel(0, s.world.now);
  expect(await s.checked()).toEqual({ tolerated: none, problems: ['phantom', 'phantom'] });
});

it('a night too many is tolerated behind one event of a platform’s own booking, and not beside it', async () => {
  const s = await scene({ manner: { merges: 'everything' } });
  const id = await s.sell(nights);
  await s.world.give(s.platform);
  s.platform.book({ from: nights.to, to: nights.to + 1 }, s.world.now);
  await s.world.block(s.listings[0]!.id, dateText(nights.to + 3));
  await s.poll();
  await s.giveUp(id);
  await s.poll();
  expect(await s.checked()).toEqual({ tolerated: { ...none, joined: 2 }, problems: ['phantom'] });
  await s.world.give(s.platform);
  expect((await s.checked()).problems.length).toBeGreaterThan(1);
});

it('a sale that is not taken is missing, unless its nights were given before it could be seen, until 6 hours after', async () => {
  const s = await scene();
  const id = await s.sell(nights);
  s.platform.book(nights, s.world.now);
  await s.world.give(s.platform);
  await s.giveUp(id);
  expect(await s.checked()).toEqual({ tolerated: { ...none, hidden: 2 }, problems: [] });
  s.world.now += hourMs;
  await s.world.give(s.platform);
  s.world.now += 6 * hourMs - 1;
  expect((await s.checked()).tolerated).toEqual({ ...none, hidden: 2 });
  s.world.now += 1;
  const { tolerated, problems } = await s.checked();
  expect(tolerated).toEqual(none);
  expect(problems.filter((problem) => problem === 'missing')).toHaveLength(2);
});

it.each([
  { newUids: false, expected: { tolerated: none, problems: ['missing', 'missing'] } },
  { newUids: true, expected: { tolerated: { ...none, hidden: 2 }, problems: [] } },
])(
  'a sale that was seen before its nights were given is missing, unless its platform renames its events: $newUids',
  async ({ newUids, expected }) => {
    const s = await scene({ manner: { newUids } });
    s.platform.book(nights, s.world.now);
    s.platform.text(s.world.now).read();
    s.world.now += hourMs;
    const id = await s.sell(nights);
    await s.world.give(s.platform);
    await s.giveUp(id);
    expect(await s.checked()).toEqual(expected);
  },
);

it('a sale of a house beside one of its rooms is tolerated where both are sold, and missing beside it', async () => {
  const s = await scene({ children: 2 });
  await s.sell(nights, s.listings[1]);
  s.platform.book({ from: nights.from, to: nights.to + 1 }, s.world.now);
  const tolerated = { ...none, explained: 3 };
  expect(await s.checked()).toEqual({ tolerated, problems: ['missing', 'missing', 'missing'] });
  await s.poll();
  expect(await s.checked()).toEqual({ tolerated, problems: [] });
});

it('a sale of other nights than those that were given is missing', async () => {
  const s = await scene();
  const id = await s.sell(nights);
  s.platform.book({ from: nights.from, to: nights.to + 1 }, s.world.now);
  await s.world.give(s.platform);
  await s.giveUp(id);
  expect(await s.checked()).toEqual({ tolerated: none, problems: ['missing', 'missing', 'missing'] });
});

it('a sale over a stay of ours without a conflict is silent', async () => {
  const s = await scene();
  await s.sell(nights);
  s.platform.book({ from: nights.from, to: nights.to + 1 }, s.world.now);
  expect((await s.checked()).problems).toContain('silent');
});

it.each([
  { longer: 'sale', ours: 0, theirs: 1 },
  { longer: 'stay', ours: 1, theirs: 0 },
])(
  'a sale over a stay of ours is silent until the time that both take has passed, whichever is longer: the $longer',
  async ({ ours, theirs }) => {
    const s = await scene();
    const more = (count: number): Nights => ({ from: nights.from, to: nights.to + count });
    await s.sell(more(ours));
    s.platform.book(more(theirs), s.world.now);
    s.world.now = toInstant(`${dateText(nights.to)}T11:59:59`, s.listings[0]!.timezone);
    expect((await s.checked()).problems).toContain('silent');
    s.world.now += 1000;
    expect((await s.checked()).problems).not.toContain('silent');
  },
);

it('a conflict with what was cancelled there is tolerated where exactly its nights were given last, and else false', async () => {
  const s = await scene();
  s.platform.book(nights, s.world.now - hourMs);
  await s.sell(nights);
  await s.poll();
  s.platform.cancel(0, s.world.now);
  expect((await s.checked()).problems).toEqual(['false conflict']);
  await s.world.give(s.platform);
  expect(await s.checked()).toEqual({ tolerated: { ...none, twins: 1 }, problems: [] });
});
