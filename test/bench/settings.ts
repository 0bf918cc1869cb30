/** Returns the variables of a function as in the cloud: limits off for the run, logs and metrics as they are by default. */
export const functionVariables = (endpoint: string, tableName: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'ap-southeast-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE_NAME: tableName,
  STAGE: 'bench',
  ISSUER: 'https://identity.example.com/',
  AUDIENCE: 'https://api.example.com',
  IDP_CLIENT_ID: 'client',
  IDP_CLIENT_SECRET: 'secret',
  PAYMENT_GATEWAY: 'none',
  RATE_LIMIT_KEY: 'off',
  RATE_LIMIT_USER: 'off',
  RATE_LIMIT_ATTEMPTS: 'off',
  UNPAID_STAY_LIMIT: 'off',
  LOG_LEVEL: 'INFO',
  METRICS_DISABLED: 'false',
});

export const benchTable = 'nightlatch-bench';
