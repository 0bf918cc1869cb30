import { type Brush, circle, rect, times } from './brush.ts';

const wallpaper = ['#efe6d8', '#e3e8e4', '#f0dfd2', '#dfe6ec'] as const;
const fabrics = ['#52796f', '#9c6644', '#5b7db1', '#b5654a', '#77647c'] as const;
const timber = ['#b08968', '#8d6b4f', '#c9a27a'] as const;

/** A window that shows a landscape. */
const windowOn = (scene: string, x: number, y: number, width: number, height: number): string =>
  rect(x - 10, y - 10, width + 20, height + 20, '#ffffff', 4) +
  `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 60 800 500" preserveAspectRatio="xMidYMid slice">${scene}</svg>` +
  rect(x + width / 2 - 3, y, 6, height, '#ffffff');

const curtains = (x: number, width: number, height: number, fill: string): string =>
  rect(x - 60, 76, 54, height, fill, 8) +
  rect(x + width + 6, 76, 54, height, fill, 8) +
  rect(x - 70, 70, width + 140, 8, '#6d5843');

const plant = (brush: Brush, x: number): string =>
  times(5, (at) =>
    circle(x - 30 + at * 15, 400 - brush.between(0, 40), 20, at % 2 === 0 ? '#5f8f5a' : '#76a267'),
  ) + rect(x - 20, 415, 40, 50, '#b5654a', 6);

const lamp = (x: number): string =>
  rect(x - 2, 300, 4, 150, '#5f5347') + `<path d="M${x - 34} 306 l14 -50 h40 l14 50Z" fill="#ffe3a3"/>`;

const living = (brush: Brush, scene: string): string => {
  const fabric = brush.pick(fabrics);
  return (
    windowOn(scene, 90, 90, 300, 210) +
    rect(500, 110, 120, 90, '#ffffff', 3) +
    circle(560, 155, 26, brush.pick(fabrics)) +
    rect(160, 470, 480, 60, '#00000022', 30) +
    rect(200, 340, 380, 90, fabric, 20) +
    rect(180, 400, 420, 80, fabric, 18) +
    times(3, (at) => rect(230 + at * 120, 366, 70, 50, brush.pick(['#f2e3c6', '#e7c8a0', '#dfe7df']), 10)) +
    lamp(680) +
    plant(brush, 110)
  );
};

const bedroom = (brush: Brush, scene: string): string => {
  const fabric = brush.pick(fabrics);
  return (
    windowOn(scene, 520, 100, 190, 200) +
    rect(120, 230, 340, 150, brush.pick(timber), 14) +
    rect(130, 360, 330, 130, '#ffffff', 14) +
    rect(130, 410, 330, 84, fabric, 12) +
    times(2, (at) => rect(155 + at * 150, 330, 120, 56, '#f7f3ea', 16)) +
    rect(480, 410, 66, 70, brush.pick(timber), 4) +
    `<path d="M490 372 l10 -34 h26 l10 34Z" fill="#ffe3a3"/>` +
    rect(510, 372, 6, 40, '#5f5347')
  );
};

const kitchen = (brush: Brush, scene: string): string => {
  const front = brush.pick(fabrics);
  return (
    windowOn(scene, 300, 120, 200, 140) +
    times(2, (side) => times(2, (at) => rect(70 + side * 470 + at * 100, 100, 92, 130, front, 4))) +
    rect(60, 330, 680, 18, '#e9e2d6') +
    times(
      6,
      (at) => rect(66 + at * 112, 350, 106, 130, front, 4) + rect(104 + at * 112, 366, 30, 5, '#f3e3c3'),
    ) +
    times(3, (at) => rect(250 + at * 150, 0, 3, 60, '#5f5347') + circle(251 + at * 150, 72, 20, '#ffe3a3')) +
    rect(130, 290, 60, 40, '#8d99a6', 8) +
    circle(600, 312, 18, '#c8402f') +
    circle(632, 314, 15, '#e9b44c')
  );
};

const lookout = (brush: Brush, scene: string): string =>
  windowOn(scene, 170, 80, 460, 330) +
  curtains(170, 460, 390, brush.pick(['#f3e6cf', '#d9cbb8', '#cfd9d6'])) +
  rect(330, 440, 140, 16, brush.pick(timber), 4) +
  rect(345, 456, 10, 60, '#6d5843') +
  rect(445, 456, 10, 60, '#6d5843') +
  circle(400, 428, 14, '#ffffff') +
  plant(brush, 690);

export const rooms = { living, bedroom, kitchen, window: lookout };
export type Room = keyof typeof rooms;

/** Draws a room whose window shows the landscape. */
export const drawRoom = (room: Room, brush: Brush, scene: string): string =>
  rect(0, 0, 800, 600, brush.pick(wallpaper)) +
  rect(0, 460, 800, 140, brush.pick(timber)) +
  rooms[room](brush, scene);
