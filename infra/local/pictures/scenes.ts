import { type Brush, circle, rect, shape, times } from './brush.ts';

export const scenes = ['hills', 'lake', 'sea', 'city', 'river', 'lane', 'garden'] as const;
export type Scene = (typeof scenes)[number];

/** The ground of outdoor pictures begins here; a picture is 800 wide and 600 high. */
const horizon = 400;

const skies: Record<Scene, readonly [string, string]> = {
  hills: ['#9cc7de', '#f3ead3'],
  lake: ['#f6c48f', '#fbe9cf'],
  sea: ['#7cc4ea', '#e9f6fb'],
  city: ['#5f7fae', '#f3c9a5'],
  river: ['#8fb6d9', '#f8ddc0'],
  lane: ['#f0b775', '#fdeccd'],
  garden: ['#a9d6e5', '#f4f7df'],
};

const ridge = (brush: Brush, y: number, fill: string): string => {
  const tops = Array.from({ length: 5 }, () => y - brush.between(10, 90));
  const curves = tops.map((top, at) => `Q${at * 160 + 80} ${top} ${at * 160 + 160} ${y}`).join(' ');
  return shape(`M0 ${y} ${curves} V600 H0Z`, fill);
};

const pine = (x: number, y: number, size: number): string =>
  rect(x - 3, y - 4, 6, 14, '#5b4636') +
  times(3, (at) =>
    shape(
      `M${x} ${y - size + at * 16} l${14 + at * 6} ${size / 2} h-${28 + at * 12}Z`,
      at % 2 === 0 ? '#2f5d46' : '#38704f',
    ),
  );

const palm = (brush: Brush, x: number, y: number): string => {
  const height = brush.between(110, 170);
  const leaves = [-50, -30, 0, 30, 50].map(
    (turn) =>
      `<path d="M${x} ${y - height} q${turn} -30 ${turn * 1.5} ${18 + Math.abs(turn) / 3}" stroke="#3d7a4b" stroke-width="9" fill="none"/>`,
  );
  return (
    shape(`M${x - 5} ${y} q4 -${height / 2} 2 -${height} h6 q6 ${height / 2} 4 ${height}Z`, '#7a5c3e') +
    leaves.join('')
  );
};

const block = (brush: Brush, x: number, fill: string): string => {
  const [width, height] = [brush.between(50, 90), brush.between(120, 290)];
  const lit = brush.pick(['#ffe3a3', '#f9f1dc', '#cfe3f5']);
  const rows = Math.floor(height / 34);
  const windows = times(rows, (row) =>
    times(3, (at) =>
      brush.between(0, 3) === 0
        ? ''
        : rect(x + 8 + at * (width / 3.4), horizon - height + 12 + row * 32, width / 6, 14, lit),
    ),
  );
  return rect(x, horizon - height, width, height + 20, fill) + windows;
};

const water = (brush: Brush, y: number, fill: string): string =>
  rect(0, y, 800, 600 - y, fill) +
  times(9, () =>
    rect(brush.between(0, 700), brush.between(y + 12, 560), brush.between(40, 120), 3, '#ffffff55'),
  );

const street = (brush: Brush): string =>
  times(6, (at) => {
    const height = brush.between(150, 230);
    const x = at * 136 - 6;
    return (
      rect(x, horizon - height, 132, height + 20, brush.pick(['#e8b54a', '#dfa23c', '#e9c46a', '#d98f4e'])) +
      shape(`M${x - 6} ${horizon - height} l72 -34 l72 34Z`, '#8a4b38') +
      times(2, (col) => rect(x + 22 + col * 56, horizon - height + 34, 30, 52, '#4f6d58', 2)) +
      circle(x + 66, horizon - 46, 13, brush.pick(['#c8402f', '#e07a2f', '#3f7d6e']))
    );
  });

const trees = (brush: Brush): string =>
  times(9, (at) => {
    const [x, y, size] = [
      at * 96 + brush.between(-20, 20),
      horizon + brush.between(-6, 24),
      brush.between(36, 72),
    ];
    return (
      rect(x - 5, y - 60, 10, 70, '#6d5138') +
      circle(x, y - 60 - size / 2, size, brush.pick(['#5f9b58', '#4c8a51', '#78ac5f']))
    );
  });

const backdrops: Record<Scene, (brush: Brush) => string> = {
  hills: (brush) =>
    ridge(brush, 330, '#a8c3b3') +
    ridge(brush, 370, '#7fa58c') +
    ridge(brush, 415, '#567f66') +
    times(9, () => pine(brush.between(10, 790), brush.between(400, 440), brush.between(60, 110))),
  lake: (brush) =>
    ridge(brush, 330, '#b59a86') +
    rect(0, 330, 800, 16, '#8a7766') +
    water(brush, 340, '#d9a679') +
    rect(0, 478, 800, 122, '#7d8f5f'),
  sea: (brush) =>
    water(brush, 310, '#3f9fc4') +
    shape('M0 470 Q200 430 420 462 T800 446 V600 H0Z', '#f0dcae') +
    palm(brush, brush.between(40, 140), 500) +
    palm(brush, brush.between(660, 760), 490),
  city: (brush) =>
    times(10, (at) => block(brush, at * 84 - 20, brush.pick(['#47597c', '#566a8d', '#3c4a68', '#6c7fa0']))) +
    rect(0, horizon, 800, 200, '#6c7a6a'),
  river: (brush) =>
    times(7, (at) => block(brush, at * 120, '#7b8bab')) +
    water(brush, 385, '#6f94ad') +
    '<path d="M0 430 Q400 300 800 430" stroke="#c9503c" stroke-width="12" fill="none"/>' +
    rect(0, 478, 800, 122, '#8fa574'),
  lane: (brush) => street(brush) + rect(0, horizon + 10, 800, 190, '#c9b79c'),
  garden: (brush) => ridge(brush, 360, '#9dbf94') + trees(brush) + rect(0, horizon + 20, 800, 180, '#88b26a'),
};

/** Draws a landscape. */
export const drawScene = (scene: Scene, brush: Brush): string => {
  const [top, bottom] = skies[scene];
  return (
    `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>` +
    rect(0, 0, 800, 600, 'url(#sky)') +
    circle(brush.between(90, 710), brush.between(70, 150), brush.between(34, 52), '#fff6d8') +
    backdrops[scene](brush)
  );
};
