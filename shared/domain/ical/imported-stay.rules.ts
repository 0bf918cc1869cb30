import type { ImportedStay } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import type { FollowedFeed } from './ical.store.ts';

type Labelled = Pick<FollowedFeed, 'label' | 'url'>;

/** As long as an external system may be: adopted stays have it as theirs. */
const longestLabel = 64;

/** What a team calls the platform of a feed. */
export const labelOf = ({ label, url }: Labelled): string =>
  label ?? new URL(url).host.slice(0, longestLabel);

const blockWords = /^$|\b(not available|unavailable|blocked|closed|busy)\b/i;

/** Whether the text of an event says that its time is closed, and not who has booked it. */
export const isBlockText = (summary: string): boolean => blockWords.test(summary);

/** What is kept of an event that counts as a stay (D120); null: it is a block. */
export const stayOf = (
  feed: Labelled & Pick<FollowedFeed, 'counts_as' | 'team_id' | 'commission_rate'>,
  { timezone }: Pick<Listing, 'timezone'>,
  summary: string,
): ImportedStay | null => {
  const { counts_as = 'BY_TEXT', team_id, commission_rate } = feed;
  const isStay = counts_as === 'BY_TEXT' ? !isBlockText(summary) : counts_as === 'STAYS';
  if (!isStay) return null;
  const rate = commission_rate === undefined ? {} : { commission_rate };
  return { team_id, timezone, label: labelOf(feed), summary, ...rate };
};
