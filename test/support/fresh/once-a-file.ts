/** How many test files this process has started, and what it was like before the first. */
export const processes: {
  count: number;
  first?: {
    own: NodeJS.ProcessEnv;
    env: Readonly<NodeJS.ProcessEnv>;
    senders: (PropertyDescriptor | undefined)[];
  };
} = { count: 0 };

/** `once` of the product, once for a test file instead of a process. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value; by: number } | undefined;
  return () => {
    if (made?.by !== processes.count) made = { value: make(), by: processes.count };
    return made.value;
  };
};
