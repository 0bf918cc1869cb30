import { createHmac } from 'node:crypto';
import { takeReport } from '../../../shared/domain/transfer/index.ts';
import { TeamAccountsEntity } from '../../../shared/domain/transfer/model.ts';
import { placeOfKey, ReportKeyEntity } from '../../../shared/domain/transfer/report-key.entity.ts';
import { type Dependencies, systemContext } from '../../../shared/platform/context.ts';
import { put, type Write } from '../../../shared/platform/table/index.ts';
import { testSealing } from '../../support/sealing.ts';
import { type Item, itemsOf } from '../memory/values.ts';
import type { Transfer } from './ledger.ts';

/** The account of the host, and the key of who reports what comes to it. */
export const hostAccount = '0071000123456';
const reportKey = 'a key of the reporter';
const reporter = { team_id: 1, provider: 'sepay' as const };

export const accountWrites = async (createdAt: string): Promise<Write[]> => {
  const account = { bank_bin: '970436', account_number: hostAccount, account_name: 'TRAN THI LINH', from: 0 };
  const sealed = await testSealing().seal(reportKey, placeOfKey(reporter));
  return [
    put(TeamAccountsEntity, { team_id: reporter.team_id, accounts: [account], version: 1 }),
    put(ReportKeyEntity, { ...reporter, sealed, created_at: createdAt }),
  ];
};

/** Money that someone has transferred, of which the bank's report has not arrived. */
export interface Incoming {
  reference: string;
  amount: number;
  at: number;
  text: string;
  /** The text has the reference that guests are shown. */
  isNamed: boolean;
  account: string;
  isOut: boolean;
}

interface Surroundings {
  readonly now: number;
  items: () => readonly Item[];
}

/** The bank of the host, which reports what comes to its account: late, more than once, or never. */
export class HostBank {
  readonly incoming: Incoming[] = [];
  /** What guests write into the text of a transfer, once they have seen it. */
  reference: string | undefined;
  readonly #world: Surroundings;
  #count = 1;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  take(transfer: Omit<Incoming, 'reference'>): void {
    this.incoming.push({ reference: `FT${this.#count++}`, ...transfer });
  }

  /** The service's id of a transfer. */
  idOf({ reference, amount }: Transfer): string {
    const all = itemsOf<{ transfer_id: string; bank_reference: string; amount: number }>(
      this.#world.items(),
      'BankTransfer',
    );
    const found = all.find((one) => one.bank_reference === reference && one.amount === amount);
    return found?.transfer_id ?? 'none';
  }

  /** The reporter signs as SePay says it. */
  report({ reference, amount, at, text, account, isOut }: Incoming, deps: Dependencies): Promise<void> {
    const { now } = this.#world;
    const body = JSON.stringify({
      ...{ id: Number(reference.slice(2)), gateway: 'Vietcombank', accountNumber: account, content: text },
      transactionDate: new Date(at + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
      ...{ transferType: isOut ? 'out' : 'in', transferAmount: amount, referenceCode: reference },
    });
    const seconds = Math.floor(now / 1000);
    const signature = createHmac('sha256', reportKey).update(`${seconds}.${body}`).digest('hex');
    const headers = { 'x-sepay-timestamp': `${seconds}`, 'x-sepay-signature': `sha256=${signature}` };
    const raw = { body, headers, query: {} };
    return takeReport(systemContext(deps, 'anonymous'), { ...reporter, raw }, deps.clock);
  }
}
