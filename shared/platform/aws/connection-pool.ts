import type { Socket } from 'node:net';
import { steadyMs } from '../time/clock.ts';
import { type Reply, ReplyReader } from './reply-reader.ts';

/** A request that waits for its reply. */
interface Exchange {
  /** The request as it goes over the wire. */
  request: string;
  replied: (reply: Reply) => void;
  failed: (error: Error) => void;
}

/**
 * Kept connections to a server, each with one request at a time. Streams, agents and headers of `node:http`, most of which
 * nothing here needs, take as much CPU as the rest of a client.
 */
export class ConnectionPool {
  readonly #most: number;
  readonly #open: () => Socket;
  #idle: Connection[] = [];
  readonly #busy = new Map<Exchange, Connection>();
  readonly #waiting = new Set<Exchange>();

  /** @param most connections at a time; further requests wait for one */
  constructor(open: () => Socket, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /** Sends a request over a kept connection, else over a new one, or when a connection is free. */
  send(exchange: Exchange): void {
    const connection = this.#takeIdle() ?? this.#connect();
    if (!connection) {
      this.#waiting.add(exchange);
      return;
    }
    this.#waiting.delete(exchange);
    this.#busy.set(exchange, connection);
    connection.send(exchange);
  }

  /** Ends the connection of a request whose reply is not waited for anymore. */
  cancel(exchange: Exchange): void {
    this.#waiting.delete(exchange);
    this.#busy.get(exchange)?.close();
  }

  /** Returns the one that was used last: the server closes those that rest. */
  #takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (connection.isUsable) return connection;
      connection.close();
    }
    return undefined;
  }

  #connect(): Connection | undefined {
    if (this.#busy.size >= this.#most) return undefined;
    return new Connection(this.#open(), {
      rests: (connection, exchange) => {
        this.#busy.delete(exchange);
        this.#idle.push(connection);
        this.#sendWaiting();
      },
      ended: (connection, exchange) => {
        if (exchange) this.#busy.delete(exchange);
        this.#idle = this.#idle.filter((one) => one !== connection);
        this.#sendWaiting();
      },
    });
  }

  #sendWaiting(): void {
    const [next] = this.#waiting;
    if (next) this.send(next);
  }
}

interface ConnectionEvents {
  /** The reply of a request is there, and the connection may take another. */
  rests: (connection: Connection, exchange: Exchange) => void;
  ended: (connection: Connection, exchange: Exchange | undefined) => void;
}

class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #exchange: Exchange | undefined;
  #reader = new ReplyReader();
  #usableUntil = Infinity;

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('end', () => this.#takeEnd());
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(hungUp()));
  }

  /** False where the server is about to close the connection. */
  get isUsable(): boolean {
    return steadyMs() < this.#usableUntil;
  }

  send(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#reader = new ReplyReader();
    this.#socket.ref();
    this.#socket.write(exchange.request);
  }

  close(): void {
    this.#end(hungUp());
  }

  #take(bytes: Buffer): void {
    if (!this.#exchange) {
      this.close();
      return;
    }
    try {
      const reply = this.#reader.read(bytes);
      if (reply) this.#finish(reply);
    } catch (error) {
      this.#end(error as Error);
    }
  }

  /** The end of the connection may be the end of a reply. */
  #takeEnd(): void {
    const reply = this.#reader.end();
    if (reply) this.#finish(reply);
    else this.close();
  }

  #finish(reply: Reply): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    if (this.#reader.isKept && this.#socket.writableLength === 0) {
      this.#usableUntil = steadyMs() + restMs(reply);
      // A process may end while connections rest.
      this.#socket.unref();
      this.#events.rests(this, exchange);
    } else {
      this.#socket.destroy();
      this.#events.ended(this, exchange);
    }
    exchange.replied(reply);
  }

  #end(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#socket.destroy();
    this.#events.ended(this, exchange);
    exchange?.failed(error);
  }
}

/** How long a connection may rest: a second less than the server keeps it, if it says how long that is. */
const restMs = ({ headers }: Reply): number => {
  const [, seconds] = /(?:^|[ ,])timeout=(\d+)/i.exec(headers['keep-alive'] ?? '') ?? [];
  return seconds === undefined ? Infinity : (Number(seconds) - 1) * 1000;
};

const hungUp = (): Error =>
  Object.assign(new Error('The connection has ended before the reply.'), { code: 'ECONNRESET' });
