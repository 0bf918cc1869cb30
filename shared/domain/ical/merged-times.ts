interface Stretch {
  start_at: string;
  end_at: string;
}

/** The time that events take together: those that overlap are one; those that only touch stay apart unless `touching`. */
export const mergedTimes = (events: readonly Stretch[], { touching = false } = {}): Stretch[] => {
  const merged: Stretch[] = [];
  for (const { start_at, end_at } of events.toSorted((one, other) =>
    one.start_at < other.start_at ? -1 : 1,
  )) {
    const last = merged.at(-1);
    if (last && (start_at < last.end_at || (touching && start_at === last.end_at))) {
      if (end_at > last.end_at) last.end_at = end_at;
    } else merged.push({ start_at, end_at });
  }
  return merged;
};
