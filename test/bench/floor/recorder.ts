import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to DynamoDB as it was sent. */
export interface Recorded {
  target: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds, of this process. */
  sentAt: number;
  answeredAt: number;
  status: number;
  readUnits: number;
  writeUnits: number;
}

interface Recorder {
  endpoint: string;
  /** Returns what was sent since the last call, in the order of time. */
  taken(): Recorded[];
  stop(): Promise<void>;
}

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding'];

/**
 * Starts a DynamoDB endpoint that passes everything on and notes each request with its cost: whatever client sends them, they
 * can be sent again as they were.
 */
export const startRecorder = async (endpoint: string): Promise<Recorder> => {
  const agent = new Agent({ keepAlive: true });
  let taken: Recorded[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const sentAt = performance.now();
      const body = await textOf(request);
      const target = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const headers = passedHeaders(request.headers);
      const reply = await passOn(agent, endpoint, headers, withCapacity(body));
      response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.0' }).end(reply.body);
      const units = unitsIn(reply.body);
      const isRead = reads.includes(target);
      const times = { sentAt, answeredAt: performance.now(), status: reply.status };
      taken.push({
        target,
        headers,
        body,
        ...times,
        readUnits: isRead ? units : 0,
        writeUnits: isRead ? 0 : units,
      });
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => {
      const result = taken.toSorted((one, other) => one.sentAt - other.sentAt);
      taken = [];
      return result;
    },
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Returns requests by round trip: those that were sent before any of them was answered wait for no other. */
export const roundsOf = (recorded: readonly Recorded[]): Recorded[][] => {
  const rounds: Recorded[][] = [];
  for (const request of recorded) {
    const round = rounds.at(-1);
    if (round?.every(({ answeredAt }) => request.sentAt < answeredAt)) round.push(request);
    else rounds.push([request]);
  }
  return rounds;
};

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const passedHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofTheConnection.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );

/** The request, asking for its cost: the emulator does not compare the signature with the body. */
const withCapacity = (body: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), ReturnConsumedCapacity: 'INDEXES' });

const unitsIn = (body: string): number => {
  const { ConsumedCapacity = [] } = JSON.parse(body) as { ConsumedCapacity?: Units | Units[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
};
interface Units {
  CapacityUnits: number;
}

const passOn = async (agent: Agent, endpoint: string, headers: Record<string, string>, body: string) => {
  const sent = send(endpoint, {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  const answered = once(sent, 'response');
  sent.end(body);
  const [reply] = (await answered) as [AsyncIterable<Buffer> & { statusCode?: number }];
  return { status: reply.statusCode ?? 0, body: await textOf(reply) };
};
