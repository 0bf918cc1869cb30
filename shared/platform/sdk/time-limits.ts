/** Returns the timeouts of an SDK client, in milliseconds. A request that takes longer fails; by default the SDK only warns. */
export const timeLimits = (limits: {
  requestTimeout: number;
  connectionTimeout: number;
}): { requestTimeout: number; connectionTimeout: number; throwOnRequestTimeout: true } => ({
  ...limits,
  throwOnRequestTimeout: true,
});
