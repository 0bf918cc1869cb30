import * as z from 'zod';
import { invalid, ServiceError } from '../../shared/platform/errors.ts';
import { readStage } from '../cloud/stage.ts';
import { defineCommand } from './command.ts';
import { checkStage } from './stage/check-stage.ts';

export const stageCommands = {
  check: defineCommand({
    summary: 'Looks whether the AWS account has what a deployment of a stage needs, and says what to do',
    changes: false,
    input: z.strictObject({}),
    run: async ({ account, stage }) => {
      if (!account) throw invalid({ path: 'stage', message: 'Give --stage: a laptop needs no account.' });
      const checks = await checkStage(readStage(stage).file, account);
      const missing = checks.filter(({ state }) => state === 'MISSING');
      if (missing.length === 0) return { ready: true, checks };
      const lines = missing.map(({ what, to_do }) => `${what}: ${to_do}`);
      throw new ServiceError('INVALID_STATE_TRANSITION', `${stage} cannot be deployed. ${lines.join(' ')}`);
    },
  }),
};
