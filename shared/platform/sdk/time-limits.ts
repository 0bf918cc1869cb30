/** What a client of the SDK is told about time, in milliseconds. A request that takes longer fails; by default the SDK only warns. */
export const timeLimits = (limits: {
  requestTimeout: number;
  connectionTimeout: number;
}): { requestTimeout: number; connectionTimeout: number; throwOnRequestTimeout: true } => ({
  ...limits,
  throwOnRequestTimeout: true,
});
