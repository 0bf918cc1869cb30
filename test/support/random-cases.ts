/**
 * Returns how many random cases a test draws: all of them in memory, a tenth over an engine behind a socket. What can differ
 * there is the table, which each case asks in the same ways, and not the rules.
 */
export const randomCases = (inMemory: number): number =>
  process.env['TEST_TABLE'] === 'memory' ? inMemory : Math.ceil(inMemory / 10);
