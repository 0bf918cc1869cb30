import { type Brush, circle, rect, shape, times } from './brush.ts';

export const buildings = ['villa', 'tower', 'house', 'cottage'] as const;
export type Building = (typeof buildings)[number];

const glass = '#d7ebf2';
const walls = ['#f6efe2', '#efe3cf', '#e8e6df', '#f3dcc3'] as const;
const roofs = ['#a4493d', '#7d4a3a', '#59616e', '#8b5e3c'] as const;

const pane = (x: number, y: number, width: number, height: number): string =>
  rect(x - 4, y - 4, width + 8, height + 8, '#ffffff', 2) +
  rect(x, y, width, height, glass) +
  rect(x + width / 2 - 1, y, 3, height, '#ffffff');

const door = (x: number, y: number, fill: string): string =>
  rect(x, y, 46, 84, fill, 3) + circle(x + 38, y + 44, 3, '#f3d37a');

const villa = (brush: Brush): string => {
  const [wall, roof] = [brush.pick(walls), brush.pick(roofs)];
  const windows = brush.between(3, 4);
  return (
    rect(210, 300, 380, 190, wall) +
    shape('M186 304 L400 188 L614 304Z', roof) +
    rect(500, 200, 30, 70, roof) +
    circle(400, 256, 20, glass) +
    times(windows, (at) => pane(238 + at * (340 / windows), 326, 44, 50)) +
    times(2, (at) => pane(238 + at * 270, 412, 58, 56)) +
    door(378, 406, brush.pick(['#7a4a2e', '#365a57', '#8c3b32'])) +
    rect(350, 490, 102, 14, '#cdbfa8')
  );
};

const tower = (brush: Brush): string => {
  const [wall, floors] = [brush.pick(['#e9e4da', '#d5dbe2', '#efe0cc']), brush.between(8, 11)];
  const [width, step] = [brush.between(180, 240), 360 / floors];
  const x = 400 - width / 2;
  return (
    rect(x, 110, width, 390, wall) +
    rect(x + width / 3, 84, width / 3, 28, '#8b97a6') +
    times(floors, (row) =>
      times(4, (at) =>
        rect(
          x + 14 + at * (width / 4.1),
          126 + row * step,
          width / 6,
          step * 0.55,
          row % 3 === at % 3 ? '#ffe7ad' : '#9db9cd',
        ),
      ),
    ) +
    times(floors, (row) => rect(x - 8, 126 + row * step + step * 0.6, width + 16, 4, '#b9b3a7')) +
    rect(x - 30, 486, width + 60, 16, '#a79f90')
  );
};

/** The narrow house of Vietnamese towns. */
const house = (brush: Brush): string => {
  const wall = brush.pick(['#f0cf7e', '#e7ded0', '#cfe0d6', '#f2c7ab']);
  const storeys = brush.between(3, 4);
  const height = storeys * 96;
  const storey = (row: number): string => {
    const y = 500 - height + 18 + row * 96;
    if (row === storeys - 1) return door(330, y - 8, '#5b6f5f') + pane(400, y, 76, 52);
    return (
      times(2, (at) => pane(330 + at * 84, y, 50, 50)) +
      rect(306, y + 62, 190, 5, '#5d5348') +
      times(12, (at) => rect(308 + at * 17, y + 44, 3, 20, '#5d5348'))
    );
  };
  return (
    rect(304, 500 - height, 194, height, wall) +
    shape(`M292 ${500 - height} h218 l-20 -30 h-178Z`, brush.pick(roofs)) +
    times(storeys, storey) +
    circle(318, 430, 12, '#c8402f') +
    circle(484, 430, 12, '#c8402f')
  );
};

const cottage = (brush: Brush): string =>
  rect(230, 360, 340, 130, brush.pick(['#c9a679', '#b98d62', '#d9c7a3'])) +
  shape('M196 364 L280 262 H520 L604 364Z', brush.pick(['#8d6a45', '#6f5a43', '#a4493d'])) +
  times(5, (at) => rect(222 + at * 88, 364, 8, 128, '#6f5138')) +
  pane(256, 392, 60, 54) +
  pane(486, 392, 60, 54) +
  door(376, 404, '#5f4530') +
  rect(206, 488, 388, 12, '#8a6d4c');

const drawings: Record<Building, (brush: Brush) => string> = { villa, tower, house, cottage };

/** Draws a house in front of its landscape. */
export const drawBuilding = (building: Building, brush: Brush): string =>
  drawings[building](brush) +
  times(7, () => {
    const x = brush.between(20, 780);
    return circle(
      x,
      brush.between(510, 560),
      brush.between(14, 34),
      brush.pick(['#6f9a5b', '#5c8a52', '#86ad63']),
    );
  });
