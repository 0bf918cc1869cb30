import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { foreignHost } from '../../../infra/local/own-host.ts';

const ask = (host: string | undefined) =>
  foreignHost({ headers: { host } } as unknown as IncomingMessage)?.code;
afterEach(() => {
  delete process.env['LOCAL_HOSTS'];
});

describe('the host of a request on a laptop', () => {
  it.each(['localhost', 'localhost:4000', '127.0.0.1:4000', 'LOCALHOST:4000', '[::1]:4000'])(
    '%s is its own',
    (host) => expect(ask(host)).toBeUndefined(),
  );

  it.each([
    'evil.example',
    'evil.example:4000',
    '127.0.0.1.evil.example',
    'localhost.evil.example:4000',
    'localhost@evil.example',
    '127.0.0.2',
    '0.0.0.0:4000',
    '',
    undefined,
  ])('%s is refused', (host) => expect(ask(host)).toBe('FORBIDDEN'));

  it('may be one of LOCAL_HOSTS, with any port', () => {
    process.env['LOCAL_HOSTS'] = 'host.docker.internal,Laptop';
    expect(ask('host.docker.internal:4000')).toBeUndefined();
    expect(ask('laptop')).toBeUndefined();
    expect(ask('other.docker.internal:4000')).toBe('FORBIDDEN');
  });
});
