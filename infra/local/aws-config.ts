/** What an SDK client needs to talk to a local endpoint; credentials of the environment are used where there are any. */
export const awsConfig = (endpoint: string) => ({
  endpoint,
  region: process.env['AWS_REGION'] ?? 'ap-southeast-1',
  ...(process.env['AWS_ACCESS_KEY_ID'] === undefined && {
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }),
});
