import { type JsonServer, startJsonServer } from '../json-server.ts';
import type { Log } from '../log.ts';
import { LostAnswer, type SandboxGateway, UnknownPayment } from './sandbox-gateway.ts';

export { type SandboxPayment, openSandboxGateway, type SandboxGateway } from './sandbox-gateway.ts';
export { notificationOf } from './notify.ts';
export { sandboxSecret } from './secret.ts';

/** Starts the sandbox gateway on a loopback port. */
export const startSandboxGateway = ({
  sandbox,
  log,
}: {
  sandbox: SandboxGateway;
  log: Log;
}): Promise<JsonServer> =>
  startJsonServer(async ({ path, body }) => {
    try {
      return { status: 200, body: await sandbox.answer(path, body) };
    } catch (error) {
      if (error instanceof UnknownPayment) return { status: 404, body: { message: error.message } };
      if (error instanceof LostAnswer) return { status: 504, body: { message: error.message } };
      throw error;
    }
  }, log);
