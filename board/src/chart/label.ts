import type { TakenStretch } from '@nightlatch/client';
import { say, sayName } from '../words/index.ts';

/** Returns what takes time of a home: a guest, a platform, a block. */
export const labelOf = (
  { kind, guest_name, summary, source, because_of }: TakenStretch,
  nameOfHome: (id: number) => string | undefined,
): string => {
  if (kind === 'STAY') return guest_name ?? say('kind_STAY');
  if (kind === 'IMPORTED') return summary ?? source ?? say('kind_IMPORTED');
  if (kind === 'FAMILY' && because_of !== null)
    return say('kind_FAMILY', { home: nameOfHome(because_of) ?? '' });
  return sayName(kind, 'kind_');
};
