type Variables = Readonly<Record<string, string | undefined>>;

/** A service with a JSON protocol. */
export interface AwsService {
  /** In its host name and in signatures. */
  name: string;
  /** The variable of another endpoint. */
  variable: string;
  contentType: string;
}

/** Where requests go. */
export interface Endpoint {
  url: URL;
  region: string;
}

/** Returns the endpoint of a service in an environment: that of its variable, else the one of the region. */
export const endpointOf = ({ name, variable }: AwsService, env: Variables = process.env): Endpoint => {
  const region = env['AWS_REGION'];
  if (!region) throw new Error('AWS_REGION is not set.');
  const given =
    env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true'
      ? undefined
      : env[variable] || env['AWS_ENDPOINT_URL'];
  if (given) return { url: new URL(given), region };
  if (env['AWS_USE_FIPS_ENDPOINT'] === 'true' || env['AWS_USE_DUALSTACK_ENDPOINT'] === 'true')
    throw new Error(`FIPS and dual-stack endpoints are not chosen here: set ${variable}.`);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return { url: new URL(`https://${name}.${region}.${domain}`), region };
};
