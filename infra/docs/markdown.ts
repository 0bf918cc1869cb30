/** A table of Markdown: one row of cells a line. */
export const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

type Moves = Record<string, { from: readonly string[]; to: string }>;

/** A table of moves as a diagram. */
export const stateDiagram = (moves: Moves): string =>
  [
    '```mermaid',
    'stateDiagram-v2',
    ...Object.entries(moves).flatMap(([move, { from, to }]) =>
      from.map((state) => `  ${state} --> ${to}: ${move}`),
    ),
    '```',
  ].join('\n');
