import { brushOf } from './brush.ts';
import { type Building, buildings, drawBuilding } from './buildings.ts';
import { drawRoom, type Room, rooms } from './interiors.ts';
import { drawScene, type Scene, scenes } from './scenes.ts';

/** What the pictures of a home have in common: the landscape, the house and a number that no other home has. */
export interface Look {
  scene: Scene;
  building: Building;
  number: number;
}

type View = 'outside' | Room;

/** The views of a whole home and of a room, in the order of its images. */
const viewsOf: Record<'home' | 'room', readonly View[]> = {
  home: ['outside', 'living', 'bedroom', 'kitchen', 'window'],
  room: ['bedroom', 'window', 'outside'],
};

export const picturesPath = '/_local/pictures/';

/** Returns the addresses of a home's pictures. */
export const pictureUrls = (
  apiUrl: string,
  { scene, building, number }: Look,
  kind: 'home' | 'room',
): string[] =>
  viewsOf[kind].map((view) => `${apiUrl}${picturesPath}${scene}-${building}-${number}-${view}.svg`);

const named = new RegExp(
  `^(${scenes.join('|')})-(${buildings.join('|')})-(\\d{1,4})-(outside|${Object.keys(rooms).join('|')})\\.svg$`,
);

/** Returns the picture of a name, drawn from it alone; undefined for another name. */
export const pictureNamed = (name: string): string | undefined => {
  const [, scene, building, number, view] = named.exec(name) ?? [];
  if (scene === undefined) return undefined;
  const home = `${scene}-${building}-${number}`;
  // One landscape for all pictures of a home.
  const landscape = drawScene(scene as Scene, brushOf(home));
  const brush = brushOf(`${home} ${view}`);
  const drawn =
    view === 'outside'
      ? landscape + drawBuilding(building as Building, brushOf(`${home} ${building}`))
      : drawRoom(view as Room, brush, landscape);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">${drawn}</svg>`;
};
