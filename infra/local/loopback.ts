import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Listening {
  port: number;
  stop: () => Promise<void>;
}

/** Starts a server on a port of this machine alone; 0 selects a free one. */
export const listenOnLoopback = async (server: Server, port: number): Promise<Listening> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
