import { describe, expect, it } from 'vitest';
import { demoTeams } from '../../../infra/local/demo/homes/index.ts';
import { type Look, pictureNamed, picturesPath, pictureUrls } from '../../../infra/local/pictures/index.ts';

const look: Look = { scene: 'hills', building: 'villa', number: 20 };
const namesOf = (some: Look, kind: 'home' | 'room' = 'home') =>
  pictureUrls('http://127.0.0.1:4000', some, kind).map((url) => url.split(picturesPath)[1] ?? '');

describe('the pictures of the demo homes', () => {
  it('are five of a home and three of a room, each another one', () => {
    expect(new Set(namesOf(look).map(pictureNamed)).size).toBe(5);
    expect(new Set(namesOf(look, 'room').map(pictureNamed)).size).toBe(3);
  });

  it('are the same at every time', () => {
    const [outside = ''] = namesOf(look);
    expect(pictureNamed(outside)).toBe(pictureNamed(outside));
  });

  it('differ from home to home, although the landscape and the kind of house are the same', () => {
    const [one = '', other = ''] = [20, 21].map((number) => namesOf({ ...look, number })[0]);
    expect(pictureNamed(one)).not.toBe(pictureNamed(other));
  });

  it('are drawings only: no script, no text, nothing from elsewhere', () => {
    const looks = demoTeams.flatMap(({ homes }) => homes.map((home) => home.look));
    expect(looks.length).toBeGreaterThan(10);
    for (const name of looks.flatMap((one) => namesOf(one))) {
      const tags = new Set(pictureNamed(name)!.match(/<\w+/g));
      const drawn = ['<svg', '<rect', '<circle', '<path', '<linearGradient', '<stop'];
      expect([...tags].filter((tag) => !drawn.includes(tag))).toEqual([]);
      expect(pictureNamed(name)!.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|href|NaN|undefined/,
      );
    }
  });

  it.each([
    '',
    'hills-villa-20.svg',
    'hills-castle-20-outside.svg',
    '../x.svg',
    'hills-villa-20-outside.svg/',
  ])('refuse the name "%s"', (name) => {
    expect(pictureNamed(name)).toBeUndefined();
  });

  it('are of one number for each home and its rooms', () => {
    const taken = demoTeams.flatMap(({ homes }) =>
      homes.flatMap(({ look: { number }, rooms = [] }) => [number, ...rooms.map((_, at) => number + at + 1)]),
    );
    expect(new Set(taken).size).toBe(taken.length);
  });
});
