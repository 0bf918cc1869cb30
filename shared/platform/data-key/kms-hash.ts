import type { AwsService } from '../aws/endpoint.ts';
import { AwsRefusal, jsonRequest, type JsonRequestOptions } from '../aws/json-request.ts';
import { KeyLost, type KeyedHash } from './sealing.ts';

export const kms: AwsService = {
  name: 'kms',
  variable: 'AWS_ENDPOINT_URL_KMS',
  contentType: 'application/x-amz-json-1.1',
};

/** Returns HMAC-SHA-256 by a key that never leaves KMS, given by its ARN or alias. Throws {@link KeyLost} if KMS has no such key. */
export const kmsHash = (keyId: string, options: JsonRequestOptions = {}): KeyedHash => {
  const request = jsonRequest(kms, 'KMS', options);
  return async (text) => {
    const Message = Buffer.from(text).toString('base64');
    const asked = { KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message };
    const { Mac } = await request('TrentService.GenerateMac', asked).catch((error: unknown) => {
      // So it answers when a deleted key is gone; one that is disabled, or waits for its deletion, is another refusal.
      throw error instanceof AwsRefusal && error.type === 'NotFoundException' ? new KeyLost() : error;
    });
    const hash = Buffer.from(typeof Mac === 'string' ? Mac : '', 'base64');
    if (hash.length !== 32) throw new Error('KMS has answered without an HMAC of 32 bytes.');
    return hash;
  };
};
