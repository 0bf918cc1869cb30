/** Returns the CPU time of this process since an earlier `process.cpuUsage()`, in milliseconds. */
export const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
