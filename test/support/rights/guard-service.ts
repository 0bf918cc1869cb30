/**
 * Loaded into the local service before anything else: each request of a function to a service of AWS is compared with its
 * rights. A missing one is refused, and named in the output.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import http, { type ClientRequest, type RequestOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { missingRights } from './service-right.ts';

const running = new AsyncLocalStorage<{ name: string }>();
channel('nightlatch:function').bindStore(running);

const { request } = http;

const headerOf = ({ headers = {} }: RequestOptions, wanted: string): string => {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
  return String(found?.[1] ?? '');
};

const guarded = (sent: ClientRequest, options: RequestOptions, folder: string): void => {
  const chunks: Buffer[] = [];
  const write: (...args: never) => unknown = sent.write.bind(sent);
  const end: (...args: never) => unknown = sent.end.bind(sent);
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  sent.write = ((...args: [unknown]) => {
    keep(args[0]);
    return Reflect.apply(write, sent, args) as boolean;
  }) as typeof sent.write;
  sent.end = ((...args: [unknown]) => {
    keep(args[0]);
    const [target, path] = [headerOf(options, 'x-amz-target'), options.path ?? ''];
    const missing = missingRights(folder, { target, path, body: Buffer.concat(chunks).toString() });
    for (const line of missing) console.error(`RIGHTS: ${line}`);
    return missing.length > 0
      ? sent.destroy(new Error(missing[0]))
      : (Reflect.apply(end, sent, args) as ClientRequest);
  }) as typeof sent.end;
};

http.request = ((...args: Parameters<typeof request>) => {
  const sent = request(...args);
  const [options] = args as unknown[];
  const folder = running.getStore()?.name;
  if (folder !== undefined && typeof options === 'object' && !(options instanceof URL))
    guarded(sent, options as RequestOptions, folder);
  return sent;
}) as typeof request;
syncBuiltinESMExports();
