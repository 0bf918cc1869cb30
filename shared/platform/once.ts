/** Makes a value at the first call and answers the same one from then on; what throws is tried again. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};
