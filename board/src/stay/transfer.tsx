import type { Transfer } from '@nightlatch/client';
import { encode } from 'uqr';
import { Facts } from '../parts/facts.tsx';
import { say, sayInstant, sayMoney } from './words/index.ts';

/** The account, the text that names the booking, and the code that banks' apps read. */
export const TransferTo = ({ transfer, zone }: { transfer: Transfer; zone: string }) => {
  const { bank, account_number, account_name, amount, currency, reference, qr_text, expires_at } = transfer;
  return (
    <section>
      <h2>{say('transferTo')}</h2>
      <Facts
        rows={[
          [say('bank'), bank],
          [say('account'), account_number],
          [say('accountName'), account_name],
          [say('amount'), sayMoney(amount, currency)],
          [say('reference'), reference],
          [say('until'), expires_at === null ? null : sayInstant(expires_at, zone)],
        ]}
      />
      {qr_text !== null && <Code text={qr_text} />}
    </section>
  );
};

const Code = ({ text }: { text: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={say('qr')}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
};
