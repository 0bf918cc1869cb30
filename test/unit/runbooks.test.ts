import { describe, expect, it } from 'vitest';
import { alarmImpacts } from '../../infra/cloud/impacts.ts';
import { operate } from '../../infra/operator/operate.ts';
import { textOf } from '../support/docs.ts';

const unreachable = (): never => {
  throw new Error('nothing is running');
};

describe('operator runbook', () => {
  it.each(Object.keys(alarmImpacts))('prints the page of %s while nothing else works', async (name) => {
    const { exitCode, stdout } = await operate(['runbook', name], unreachable);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: textOf(`docs/runbooks/${name}.md`) });
  });

  it('lists the alarms', async () => {
    const { stdout } = await operate(['runbook', '--help'], unreachable);
    for (const name of Object.keys(alarmImpacts)) expect(stdout).toContain(`runbook ${name} `);
  });
});
