/** Returns the SDK's variables for a local endpoint; a real account's settings are unchanged. */
export const localAwsEnvironment = (endpoint: string): Record<string, string> => {
  const { hostname } = new URL(endpoint);
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return {};
  const { env } = process;
  return {
    AWS_REGION: env['AWS_REGION'] ?? 'ap-southeast-1',
    AWS_ACCESS_KEY_ID: env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: env['AWS_ENDPOINT_URL_DYNAMODB_STREAMS'] ?? endpoint,
  };
};

/** The DynamoDB endpoint of this test run. */
export const tableEndpoint = (): string => {
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (endpoint === undefined)
    throw new Error('AWS_ENDPOINT_URL_DYNAMODB is not set: is this the table project?');
  return endpoint;
};
