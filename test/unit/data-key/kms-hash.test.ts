import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { kmsHash } from '../../../shared/platform/data-key/kms-hash.ts';
import { KeyLost } from '../../../shared/platform/data-key/sealing.ts';
import { playedCredentials, playedService, reply } from '../../support/played-service.ts';

const arn = 'arn:aws:kms:eu-west-3:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';
const mac = Buffer.alloc(32, 7);

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

const played = async (play: (response: ServerResponse, count: number) => void) => {
  const service = await playedService((_, response) => play(response, service.arrived.length));
  undo.push(service.close);
  const credentials = () => Promise.resolve(playedCredentials);
  const hash = kmsHash(arn, { endpoint: service.endpoint, credentials, pausesMs: [1, 1] });
  return { ...service, hash };
};
const answer = (response: ServerResponse, Mac: string) =>
  reply(response, 200, { KeyId: arn, Mac, MacAlgorithm: 'HMAC_SHA_256' });

describe('KMS', () => {
  it('is asked for an HMAC by its key, in a signed request', async () => {
    const { arrived, hash } = await played((response) => answer(response, mac.toString('base64')));
    expect(await hash('nightlatch/test/data-key/1')).toEqual(mac);
    const Message = Buffer.from('nightlatch/test/data-key/1').toString('base64');
    expect(arrived).toMatchObject([
      {
        operation: 'TrentService.GenerateMac',
        body: { KeyId: arn, MacAlgorithm: 'HMAC_SHA_256', Message },
        isSigned: true,
      },
    ]);
    expect(arrived[0]?.headers.authorization).toContain('/eu-west-3/kms/aws4_request');
  });

  it('is asked again after a failure of its own, and not after a refusal', async () => {
    const failing = await played((response, count) =>
      count < 3
        ? reply(response, 500, { __type: 'KMSInternalException' })
        : answer(response, mac.toString('base64')),
    );
    expect(await failing.hash('a')).toEqual(mac);
    const refusing = await played((response) =>
      reply(response, 400, { __type: 'AccessDeniedException', Message: 'not authorized' }),
    );
    await expect(refusing.hash('a')).rejects.toThrow('400 AccessDeniedException not authorized');
    expect(refusing.arrived).toHaveLength(1);
  });

  it('says that a key is lost when it has no such key', async () => {
    const { hash } = await played((response) => reply(response, 400, { __type: 'NotFoundException' }));
    await expect(hash('a')).rejects.toThrow(KeyLost);
  });

  it('that answers with anything else is an error', async () => {
    const { hash } = await played((response) => answer(response, 'c2hvcnQ='));
    await expect(hash('a')).rejects.toThrow('32 bytes');
  });
});
