import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address before the table where the first request is carried out and its reply is lost. */
export const lossyEndpoint = async (table: string) => {
  let isLost = false;
  const server = createServer((request, response) => {
    const { method = 'POST', headers } = request;
    const onward = send(table, { method, headers }, (reply) => {
      if (isLost) {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
        return;
      }
      isLost = true;
      request.socket.destroy();
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    wasLost: () => isLost,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
