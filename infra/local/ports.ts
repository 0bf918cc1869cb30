import { createServer } from 'node:http';
import { listenOnLoopback } from './loopback.ts';

interface Refused {
  name: string;
  port: number;
  code: string;
}

/** Throws for ports that cannot be opened, naming their variables, before anything is started (D69). */
export const requireFreePorts = async (wanted: Readonly<Record<string, number>>): Promise<void> => {
  const tried = await Promise.all(Object.entries(wanted).map(([name, port]) => tryPort(name, port)));
  const refused = tried.filter((one) => one !== undefined);
  if (refused.length === 0) return;
  const ports = refused.map(({ name, port, code }) => `${name} ${port} ${meaningOf(code)}`).join(', ');
  const names = refused.map(({ name }) => name).join(' and ');
  throw new Error(`${ports}. Set ${names} to another port, or to 0 for any free one.`);
};

const tryPort = async (name: string, port: number): Promise<Refused | undefined> => {
  try {
    const { stop } = await listenOnLoopback(createServer(), port);
    await stop();
    return undefined;
  } catch (error) {
    return { name, port, code: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
};

const meaningOf = (code: string): string =>
  code === 'EADDRINUSE' ? 'is taken' : code === 'EACCES' ? 'needs more rights' : `cannot be opened: ${code}`;
