/**
 * Returns a function that creates a value at the first call and returns the same one afterwards; a call that throws is
 * repeated.
 */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};
