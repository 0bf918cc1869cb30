/** A mutant that may survive, and why no test can or should notice it. */
interface Accepted {
  /** Its id, as the report prints it. */
  site: string;
  reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    site: 'shared/platform/money.ts larger: one.gte as gt',
    reason: 'Of two equal amounts either is the larger one.',
  },
  {
    site: 'shared/platform/money.ts smaller: one.lte as lt',
    reason: 'Of two equal amounts either is the smaller one.',
  },
];
