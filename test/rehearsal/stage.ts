import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { projectRoot } from '../../infra/bundling.ts';
import { jsonRequest } from '../../shared/platform/aws/json-request.ts';
import { region } from './emulator.ts';
import { applications, audience, type Neighbours, terminal } from './neighbours.ts';

/** The disposable stage. */
export const stage = 'rehearsal';
const sender = 'stay@rehearsal.example.com';

/** The stage file, which the rehearsal writes and removes. */
export const stagePath = `stages/${stage}.json`;
const path = join(projectRoot, stagePath);

const secretsManager = jsonRequest(
  {
    name: 'secretsmanager',
    variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    contentType: 'application/x-amz-json-1.1',
  },
  'Secrets Manager',
);

const createSecret = async (what: string, value: object): Promise<unknown> => {
  const Name = `nightlatch/${stage}/${what}`;
  const { ARN } = await secretsManager('secretsmanager.CreateSecret', {
    ...{ Name, SecretString: JSON.stringify(value), ClientRequestToken: crypto.randomUUID() },
  });
  return ARN;
};

/** Makes what docs/operate.md asks for before a deployment, and writes the stage file. */
export const prepareStage = async ({ identity, payments }: Neighbours): Promise<void> => {
  removeStageFiles();
  const { client_id, client_secret } = applications.service;
  await new SESv2Client({}).send(new CreateEmailIdentityCommand({ EmailIdentity: sender }));
  const file = {
    ...{ $schema: './schema.json', region, disposable: true },
    // What only a stage that is restored needs, and what the emulator lacks of one.
    ...{ waf: false, release: { pace: 'at_once' } },
    identity: {
      ...{
        host_mfa: 'off',
        issuer: identity.issuer,
        audience,
        client_id,
        host_client_ids: [applications.hosts.client_id],
      },
      secret_arn: await createSecret('identity', { client_secret }),
    },
    payment: {
      ...{ gateway: 'vnpay', return_url: 'https://stay.example.com/paid', tmn_code: terminal.tmnCode },
      ...{ pay_url: `${payments.url}/vpcpay.html`, api_url: `${payments.url}/transaction` },
      secret_arn: await createSecret('payment', { vnpay_hash_secret: terminal.hashSecret }),
    },
    mail_sender: sender,
  };
  changeStage(file);
};

/** Writes fields into the stage file. */
export const changeStage = (fields: object): void => {
  const file = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {};
  writeFileSync(path, `${JSON.stringify({ ...file, ...fields }, null, 2)}\n`);
};

/** Makes the secret of the canary and writes the canary into the stage file. */
export const addCanary = async (secret: object, { canary }: { canary: object }): Promise<void> =>
  changeStage({ canary: { ...canary, secret_arn: await createSecret('canary', secret) } });

/** Writes the lock of the stage, as `npm run stage:lock` does. */
export const lockStage = (...given: string[]): void =>
  void execFileSync(process.execPath, [join(projectRoot, 'bin', 'stage-lock.ts'), stage, ...given]);

export const removeStageFiles = (): void => {
  for (const file of [path, path.replace('.json', '.lock.json')]) rmSync(file, { force: true });
};
