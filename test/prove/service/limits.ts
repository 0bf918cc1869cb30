/** No limits: a refusal for them hides what is looked for. */
export const unlimited = {
  RATE_LIMIT_KEY: 'off',
  RATE_LIMIT_USER: 'off',
  RATE_LIMIT_ATTEMPTS: 'off',
  UNPAID_STAY_LIMIT: 'off',
};

/** So low that people meet the limits. */
export const limited = { ...unlimited, RATE_LIMIT_KEY: '3', RATE_LIMIT_USER: '3', UNPAID_STAY_LIMIT: '2' };
