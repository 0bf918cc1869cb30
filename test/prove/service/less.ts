/** What is left out of a history, so that it is shorter: as an option of the command, `--less`. */
export interface Less {
  hostileHours?: number;
  /** Spans so many days at a slower pace. */
  days?: number;
  /** Has invited people and thieves. */
  hasCrew?: boolean;
  /** Actors that do nothing, by their names. */
  actors?: readonly string[];
  /** Kinds of faults that do not happen. */
  faults?: readonly string[];
  /** After how many requests an actor stops. */
  requests?: Readonly<Record<string, number>>;
}

/** The kind of a fault as it is counted: that of a call, without its place. */
export const faultKindOf = (counted: string): string =>
  counted.startsWith('outage') ? 'outage' : counted.replace(/:.*/, '');

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Reads the option; undefined if it is not one. */
export const parseLess = (text: string): Less | undefined => {
  try {
    const { hostileHours = 1, days = 1, actors = [], faults = [], requests = {} } = JSON.parse(text) as Less;
    const isOne =
      typeof hostileHours === 'number' &&
      typeof days === 'number' &&
      isNames(actors) &&
      isNames(faults) &&
      Object.values(requests).every((most) => typeof most === 'number');
    return isOne ? (JSON.parse(text) as Less) : undefined;
  } catch {
    return undefined;
  }
};
