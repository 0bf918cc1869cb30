import { expect, it } from 'vitest';
import { tableEndpoint } from '../../support/aws-env.ts';
import { prove } from '../prove.ts';
import { embeddedStage } from './embedded-stage.ts';

it('the simulated table answers as the embedded table does, command by command, and no schedule fails on either', async () => {
  const proof = await prove({ schedules: 15, seed: 20270115, stage: () => embeddedStage(tableEndpoint()) });
  expect(proof.failure).toBeUndefined();
  expect(proof.coverage.commits).toBeGreaterThan(20);
});
