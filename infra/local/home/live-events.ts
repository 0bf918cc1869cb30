import type { ServerResponse } from 'node:http';
import type { EventMessage } from '../../../shared/platform/events/index.ts';

const kept = 50;

export interface LiveEvents {
  tell(event: EventMessage): void;
  /** Sends the last events and every one to come, as server-sent events. */
  stream(response: ServerResponse): void;
  stop(): void;
}

/** What the bus carries, for whoever watches the home page. */
export const liveEvents = (): LiveEvents => {
  const recent: EventMessage[] = [];
  const watchers = new Set<ServerResponse>();
  return {
    tell: (event) => {
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
