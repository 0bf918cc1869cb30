/** Returns the configuration of an SDK client for a local endpoint; credentials of the environment take precedence. */
export const awsConfig = (endpoint: string) => ({
  endpoint,
  region: process.env['AWS_REGION'] ?? 'ap-southeast-1',
  ...(process.env['AWS_ACCESS_KEY_ID'] === undefined && {
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }),
});
