/** Returns a Markdown table. */
export const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

type Moves = Record<string, { from: readonly string[]; to: string }>;

/** Returns a table of state moves as a Mermaid diagram. */
export const stateDiagram = (moves: Moves): string =>
  [
    '```mermaid',
    'stateDiagram-v2',
    ...Object.entries(moves).flatMap(([move, { from, to }]) =>
      from.map((state) => `  ${state} --> ${to}: ${move}`),
    ),
    '```',
  ].join('\n');
