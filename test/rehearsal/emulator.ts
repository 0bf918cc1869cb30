import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);

/** The emulator of AWS: MIT, without Docker and account, by others. */
const emulator = 'ministack==1.5.33';

export const region = 'ap-southeast-1';
export const account = '111122223333';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/tls/loopback-${name}.pem`, import.meta.url));

/** Key and certificate of everything that the rehearsal starts on loopback. The certificate signs itself. */
export const tls = {
  cert: readFileSync(fixture('certificate'), 'utf8'),
  key: readFileSync(fixture('key'), 'utf8'),
};

/** Installs the emulator into a folder, once, and returns its Python. Throws an error that says what the machine lacks. */
const installed = async (folder: string): Promise<string> => {
  const home = join(folder, emulator.replace('==', '-'));
  const python = join(home, 'bin', 'python');
  const ready = join(home, 'installed');
  if (existsSync(ready)) return python;
  for (const candidate of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'])
    try {
      await run(candidate, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
      await run(candidate, ['-m', 'venv', home]);
      await run(python, ['-m', 'pip', 'install', '--quiet', emulator], { timeout: 300_000 });
      await run('touch', [ready]);
      return python;
    } catch (cause) {
      const { stderr } = cause as { stderr?: string };
      if (stderr?.includes('pip')) throw new Error(`${emulator} cannot be installed: ${stderr}`, { cause });
    }
  throw new Error('The rehearsal needs Python 3.10 or newer, with venv and pip, and PyPI within reach.');
};

export interface Emulator {
  endpoint: string;
  /** What the CDK, the operator's tool and the SDK need to reach it. */
  environment: Record<string, string>;
  /** What it says of functions that do not start or end, after a point of its log. */
  refusalsSince: (point: number) => string[];
  /** The end of its log. */
  point: () => number;
  /** `type logical-id` of the resources that are recorded without an effect. */
  placeholders: () => string[];
  stop: () => Promise<void>;
}

/** Starts the emulator on loopback, with IAM enforced and every function as a process of this Node. */
export const startEmulator = async (folder: string, port: number): Promise<Emulator> => {
  const python = await installed(folder);
  // Outside the project, whose package.json would make modules of the functions' code.
  const temporary = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const endpoint = `https://127.0.0.1:${port}`;
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const logPath = join(folder, 'emulator.log');
  const log = openSync(logPath, 'w');
  const list = join(temporary, 'placeholders');
  // The emulator writes beside its certificate.
  const [certificatePath, keyPath] = [join(temporary, 'certificate.pem'), join(temporary, 'key.pem')];
  writeFileSync(certificatePath, tls.cert);
  writeFileSync(keyPath, tls.key);
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(python, [fileURLToPath(new URL('emulator.py', import.meta.url))], {
    env: {
      ...{ PATH, HOME, TMPDIR: temporary, PLACEHOLDERS: list, PYTHONUNBUFFERED: '1' },
      ...credentials,
      ...{ AUTH: 'true', BIND_HOST: '127.0.0.1', GATEWAY_PORT: String(port), LAMBDA_EXECUTOR: 'local' },
      ...{ MINISTACK_REGION: region, MINISTACK_ACCOUNT_ID: account, USE_SSL: '1' },
      ...{ MINISTACK_SSL_CERT: certificatePath, MINISTACK_SSL_KEY: keyPath },
      NODE_EXTRA_CA_CERTS: certificatePath,
    },
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`The emulator has ended: see ${logPath}.`);
    return fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await waitUntil('the emulator answers', isUp, 60_000);
  return {
    endpoint,
    environment: {
      ...credentials,
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_REGION: region },
      NODE_EXTRA_CA_CERTS: certificatePath,
      // The CDK has its own list of authorities.
      AWS_CA_BUNDLE: certificatePath,
    },
    refusalsSince: (point) =>
      readFileSync(logPath)
        .subarray(point)
        .toString()
        .split('\n')
        .filter((line) => /(ERROR|WARNING) \[lambda/.test(line)),
    point: () => statSync(logPath).size,
    placeholders: () => (existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []),
    stop: async () => {
      child.kill();
      await ended;
      rmSync(temporary, { recursive: true, force: true });
    },
  };
};
