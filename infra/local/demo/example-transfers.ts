import { Webhook } from 'standardwebhooks';
import { setBankAccount, setReports, takeReport } from '../../../shared/domain/transfer/index.ts';
import { systemContext } from '../../../shared/platform/context.ts';
import { exampleIds as ids } from '../../../shared/platform/http/example-records.ts';
import { instantText, machineClock } from '../../../shared/platform/time/clock.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { asUser, depsAt, type ExampleStage } from './callers.ts';

const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };

/** An account that guests are shown, the next one, and two transfers that name no booking. */
export const seedExampleTransfers = async ({ deps, host }: ExampleStage): Promise<void> => {
  const now = deps.clock.now();
  await setBankAccount(asUser(depsAt(deps, now - 2 * dayMs), host), account);
  await setBankAccount(asUser(deps, host), { ...account, account_number: '0071000654321' });
  await setReports(asUser(deps, host), 'sepay', {}, '');
  const { secret } = await setReports(asUser(deps, host), 'standard', {}, '');
  for (const id of ['FT27034998877', 'FT27034998878']) {
    const { account_number } = account;
    const money = { amount: 500_000, currency: 'VND', text: 'Hoa tien coc phong' };
    const body = JSON.stringify({ id, account_number, ...money, received_at: instantText(now) });
    const at = new Date(machineClock.now());
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    const report = { provider: 'standard', team_id: ids.team, raw: { body, headers, query: {} } } as const;
    await takeReport(systemContext(deps, 'anonymous'), report, machineClock);
  }
};
