/** Suites use few callers at a high rate; those about limits set their own (D10, D85). */
export const openLimits = (): void => {
  for (const name of ['RATE_LIMIT_KEY', 'RATE_LIMIT_USER', 'RATE_LIMIT_ATTEMPTS', 'UNPAID_STAY_LIMIT'])
    process.env[name] ??= 'off';
};
