import type { ServerResponse } from 'node:http';
import type { EventMessage } from '../../../shared/platform/events/index.ts';

const kept = 50;

export interface LiveEvents {
  publish(event: EventMessage): void;
  /** Streams recent and new events as server-sent events. */
  stream(response: ServerResponse): void;
  stop(): void;
}

/** Keeps recent events of the bus for the home page. */
export const liveEvents = (): LiveEvents => {
  const recent: EventMessage[] = [];
  const watchers = new Set<ServerResponse>();
  return {
    publish: (event) => {
      recent.push(event);
      if (recent.length > kept) recent.shift();
      for (const watcher of watchers) watcher.write(line(event));
    },
    stream: (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(`retry: 1000\n\n${recent.map(line).join('')}`);
      watchers.add(response);
      response.on('close', () => watchers.delete(response));
    },
    stop: () => {
      for (const watcher of watchers) watcher.end();
    },
  };
};

const line = (event: EventMessage): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
