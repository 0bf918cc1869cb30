/** A Lambda event filter: each field has a list of accepted values, e.g. `{ eventName: ['INSERT'] }`. */
export interface EventFilter {
  readonly [field: string]: EventFilter | readonly FilterRule[];
}
type FilterRule =
  string | number | boolean | null | { prefix: string } | { suffix: string } | { exists: boolean };

const isAccepted = (value: unknown, rule: FilterRule): boolean => {
  if (typeof rule !== 'object' || rule === null) return value === rule;
  if ('exists' in rule) return (value !== undefined) === rule.exists;
  if (typeof value !== 'string') return false;
  if ('prefix' in rule) return value.startsWith(rule.prefix);
  if ('suffix' in rule) return value.endsWith(rule.suffix);
  throw new Error(`The local stream does not know the filter rule ${JSON.stringify(rule)}`);
};

const isRules = (rule: EventFilter | readonly FilterRule[]): rule is readonly FilterRule[] =>
  Array.isArray(rule);

export const matchesFilter = (record: unknown, filter: EventFilter): boolean =>
  Object.entries(filter).every(([field, rule]) => {
    const value = (record as Record<string, unknown> | null | undefined)?.[field];
    if (!isRules(rule)) return matchesFilter(value, rule);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return rule.some((each) => values.some((one) => isAccepted(one, each)));
  });
