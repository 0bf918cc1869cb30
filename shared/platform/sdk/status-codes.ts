import type * as http from 'node:http';

const loaded = (): typeof http => process.getBuiltinModule('node:http');

/** `STATUS_CODES` of `node:http`, which is loaded when a name is asked for. The bundler replaces the import of Middy with this. */
export const STATUS_CODES: Readonly<Record<string, string | undefined>> = new Proxy(
  {},
  { get: (_, code) => loaded().STATUS_CODES[String(code)] },
);
