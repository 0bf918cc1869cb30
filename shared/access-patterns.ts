import type { IndexTemplate } from './platform/table/entity.ts';
import type { KeyTemplate } from './platform/table/key-template.ts';

/** The parts of an entity in the chart. */
export interface ChartedEntity {
  readonly name: string;
  readonly meaning: string;
  readonly patterns: readonly string[];
  readonly keyTemplates: readonly KeyTemplate<never>[];
  readonly indexTemplates: readonly IndexTemplate<never>[];
  readonly key: (ids: never) => { pk: string; sk: string };
  readonly expiresAt?: (item: never) => number | undefined;
  readonly upgrades: readonly unknown[];
  readonly example: object;
}

/** Returns the access patterns of the table as Markdown. Written to the docs by `bin/generate.ts`. */
export const accessPatternChart = (entities: readonly ChartedEntity[]): string =>
  [
    '| item | pk | sk | indexes | expires | version | read as |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...entities.map(({ name, meaning, patterns, keyTemplates, indexTemplates, expiresAt, upgrades }) =>
      row(
        `**${name}** ${meaning}`,
        keyTemplates.map(({ pk }) => code(pk)).join('<br>'),
        keyTemplates.map((template) => code(template.sk) + conditionOf(template)).join('<br>'),
        indexTemplates
          .map(
            (template) =>
              `${template.index}: ${code(template.pk)}, ${code(template.sk)}${conditionOf(template)}`,
          )
          .join('<br>'),
        expiresAt ? 'yes' : '',
        String(upgrades.length + 1),
        patterns.join('<br>'),
      ),
    ),
    '',
  ].join('\n');

const conditionOf = ({ when }: KeyTemplate<never>): string => (when ? ` (${when.says})` : '');
const code = (text: string): string => `\`${text.replaceAll(':sortable', '')}\``;
const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
