import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Credentials } from './credentials.ts';
import type { AwsService } from './endpoint.ts';

/** A request to sign. */
interface Unsigned {
  host: string;
  path: string;
  region: string;
  target: string;
  body: string;
  credentials: Credentials;
  /** Epoch milliseconds by the clock of the service. */
  now: number;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Returns a function that signs requests to a service with Signature Version 4. It keeps the signing key of the day. */
export const requestSigner = ({
  name: service,
  contentType,
}: AwsService): ((request: Unsigned) => Record<string, string>) => {
  // Node checks a key that is bytes anew for each signature, which takes longer than the signature.
  let kept: { of: string; key: KeyObject } | undefined;
  const keyOf = (secret: string, day: string, region: string): KeyObject => {
    const of = `${day}/${region}/${secret}`;
    if (kept?.of !== of) {
      const key = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
      kept = { of, key: createSecretKey(key) };
    }
    return kept.key;
  };
  return ({ host, path, region, target, body, credentials, now }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const moment = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = moment.slice(0, 8);
    const scope = `${day}/${region}/${service}/aws4_request`;
    const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
    const names = `content-type;host;x-amz-date;${token && 'x-amz-security-token;'}x-amz-target`;
    const headers = `content-type:${contentType}\nhost:${host}\nx-amz-date:${moment}\n${token}x-amz-target:${target}\n`;
    const request = hash('sha256', `POST\n${path}\n\n${headers}\n${names}\n${hash('sha256', body)}`);
    const signature = createHmac('sha256', keyOf(secretAccessKey, day, region))
      .update(`AWS4-HMAC-SHA256\n${moment}\n${scope}\n${request}`)
      .digest('hex');
    return {
      host,
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-date': moment,
      'x-amz-target': target,
      ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    };
  };
};
