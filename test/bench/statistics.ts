/** Returns the median; 0 of nothing. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the value below which a part of the values lies; 0 of nothing. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * part))
  ] ?? 0;
