import type { TableRights } from '../cloud/table-rights.ts';
import { matches } from './partitions.ts';

type Rights = Readonly<Record<string, Readonly<Partial<TableRights>>>>;

const warning = `# Table rights are taken away

**Dangerous in a gradual release.** A role belongs to all versions of its function: the version before loses these rights when the release begins, and has requests until it is over. Leave the code that needs them until the next release.
`;

/** Returns in Markdown which table rights functions lose; nothing if there are none. A function that is gone needs none. */
export const lostRights = (before: Rights, after: Rights): string => {
  const lost = Object.entries(before).flatMap(([folder, rights]) => {
    const now = after[folder];
    if (!now) return [];
    return (Object.entries(rights) as [keyof TableRights, readonly string[]][]).flatMap(
      ([access, patterns]) =>
        patterns
          .filter((pattern) => !now[access]?.some((one) => matches(one, pattern)))
          .map((pattern) => `- \`${folder}\`: ${access} \`${pattern}\``),
    );
  });
  return lost.length === 0 ? '' : `${warning}\n${lost.join('\n')}\n`;
};
