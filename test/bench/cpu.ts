import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Ticks a second of `/proc`, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Returns the CPU that a process and its ended children have used, in milliseconds; 0 if it has ended. */
export const cpuMsOf = (pid: number): number => {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) return ticksIn(readFileSync(stat, 'utf8')) * (1000 / ticksPerSecond);
  return process.platform === 'linux' ? 0 : secondsOfPs(pid) * 1000;
};

/** User and system time of the process, then of its children, after the name in parentheses. */
const ticksIn = (stat: string): number =>
  stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);

const secondsOfPs = (pid: number): number => {
  try {
    const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
  } catch {
    return 0;
  }
};

/** Returns the ids of the children of a process, where the system shows them. */
export const childrenOf = (pid: number): number[] => {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
};
