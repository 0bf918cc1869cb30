/** A home as its clients know it from the start. */
export interface KnownHome {
  id: number;
  /** Homes with the same calendar. */
  family: string;
  /** Its house at the start. */
  parent: number | null;
  /** Its host accepts each stay. */
  isAccepted: boolean;
  /** Its family follows calendars of other platforms, which take time without a request. */
  isShared: boolean;
  /** It is sold by the hour too. */
  isHourly: boolean;
}

/**
 * Returns the family of each home. A lock of homes of two families connects them: a caller who replaces it in one frees its homes
 * in the other.
 */
export const familyNames = (
  homes: readonly KnownHome[],
  held: readonly (readonly number[])[],
): Map<number, string> => {
  const names = new Map(homes.map(({ id, family }) => [id, family]));
  for (const ids of held) {
    const found = [...new Set(ids.flatMap((id) => names.get(id) ?? []))];
    const [first] = found;
    if (first === undefined || found.length === 1) continue;
    const whole = found.join(' and ');
    for (const [id, name] of names) if (found.includes(name)) names.set(id, whole);
  }
  return names;
};
