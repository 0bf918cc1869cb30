import { Agent, request as send } from 'node:http';

/** A request over HTTP. */
export interface Wire {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What a round of requests has shown. */
export interface Round {
  /** Answers with 2xx; others are not counted. */
  answered: number;
  refused: number;
  seconds: number;
  /** Milliseconds of each answer that counts. */
  latencies: number[];
}

const clients = 16;

/** Sends requests from 16 clients for some seconds, each over a kept connection to one of the instances. */
export const sendFor = async (
  addresses: readonly string[],
  seconds: number,
  next: () => Wire,
): Promise<Round> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  let refused = 0;
  const start = performance.now();
  const client = async (number: number): Promise<void> => {
    const address = addresses[number % addresses.length] ?? '';
    while (performance.now() - start < seconds * 1000) {
      const sent = performance.now();
      const status = await statusOf(agent, address, next());
      if (status >= 200 && status < 300) latencies.push(performance.now() - sent);
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  agent.destroy();
  return { answered: latencies.length, refused, seconds: (performance.now() - start) / 1000, latencies };
};

const statusOf = (agent: Agent, address: string, { method, path, headers, body }: Wire): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = send(address + path, { agent, method, headers: { ...headers, ...length } }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
      reply.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
