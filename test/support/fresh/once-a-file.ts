/** The test files that this process has begun, and what it was like before the first. */
export const processes: {
  count: number;
  first?: { env: NodeJS.ProcessEnv; senders: (PropertyDescriptor | undefined)[] };
} = { count: 0 };

/** `once` of the product, for the process that each test file takes itself to be. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value; by: number } | undefined;
  return () => {
    if (made?.by !== processes.count) made = { value: make(), by: processes.count };
    return made.value;
  };
};
