import { expect, it } from 'vitest';
import { reason } from '../../../infra/local/log.ts';

it('what failed first and what did not end well after it are all named', async () => {
  const failing = async () => {
    await using ends = new AsyncDisposableStack();
    ends.defer(() => Promise.reject(new Error('the queues did not stop')));
    ends.defer(() => Promise.reject(new Error('the table did not stop')));
    throw new Error('port 4100 is taken');
  };
  expect(reason(await failing().catch((error: unknown) => error))).toBe(
    'port 4100 is taken; the table did not stop; the queues did not stop',
  );
});
