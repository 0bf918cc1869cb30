import type { IncomingMessage } from 'node:http';
import type * as https from 'node:https';

const loaded = (): typeof https => process.getBuiltinModule('node:https');

type Arguments = [
  url: string | URL,
  options: https.RequestOptions,
  onResponse?: (response: IncomingMessage) => void,
];

/** `https.request` for the verifier of tokens. */
export const request = (...given: Arguments): ReturnType<typeof https.request> => loaded().request(...given);

/**
 * `node:https` for the SDK, loaded when a client is created: TLS costs 10 ms in functions, and on laptops, that never open a
 * secure connection. The bundler replaces the import with this.
 */
export default {
  get Agent(): typeof https.Agent {
    return loaded().Agent;
  },
  get request(): typeof https.request {
    return loaded().request;
  },
};
