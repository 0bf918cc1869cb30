type Variables = Readonly<Record<string, string | undefined>>;

/** Where requests go. */
export interface Endpoint {
  url: URL;
  region: string;
}

/** Returns the endpoint of an environment: `AWS_ENDPOINT_URL_DYNAMODB`, else the one of the region. */
export const endpointOf = (env: Variables = process.env): Endpoint => {
  const region = env['AWS_REGION'];
  if (!region) throw new Error('AWS_REGION is not set.');
  const given =
    env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true'
      ? undefined
      : env['AWS_ENDPOINT_URL_DYNAMODB'] || env['AWS_ENDPOINT_URL'];
  if (given) return { url: new URL(given), region };
  if (env['AWS_USE_FIPS_ENDPOINT'] === 'true' || env['AWS_USE_DUALSTACK_ENDPOINT'] === 'true')
    throw new Error('FIPS and dual-stack endpoints are not chosen here: set AWS_ENDPOINT_URL_DYNAMODB.');
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return { url: new URL(`https://dynamodb.${region}.${domain}`), region };
};
