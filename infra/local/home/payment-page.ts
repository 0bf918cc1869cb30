import { escapedHtml } from '../../../shared/platform/text/escaped-html.ts';
import type { SandboxPayment } from '../payments/index.ts';
import { page } from './page.ts';

const script = `
const say = (text) => { document.getElementById('said').textContent = text; };
document.querySelectorAll('[data-outcome]').forEach((button) => {
  button.onclick = async () => {
    document.querySelectorAll('[data-outcome]').forEach((other) => { other.disabled = true; });
    say('…');
    const reply = await fetch(location.pathname, {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome: button.dataset.outcome }),
    });
    const body = await reply.json();
    say(reply.ok ? body.message : body.code + ': ' + body.message);
    document.getElementById('state').textContent = body.state ?? '';
    document.querySelectorAll('[data-outcome]').forEach((other) => { other.disabled = false; });
  };
});
`;

/** Returns `/_local/payments/{reference}`: a page of the sandbox gateway, with Pay and Decline (D71). */
export const paymentPage = (payment: SandboxPayment, now: number): string => {
  const { payment_id, amount, currency, state, ends_at } = payment;
  const isLate = ends_at !== null && now >= ends_at;
  return page(
    'Payment',
    `<section><h2>Sandbox payment</h2>
<dl><dt>Payment</dt><dd><code>${payment_id}</code></dd>
<dt>Amount</dt><dd><code>${escapedHtml(`${amount.toLocaleString('en')} ${currency}`)}</code></dd>
<dt>State</dt><dd><code id="state">${escapedHtml(state)}</code></dd></dl>
${isLate ? '<p>The payment window is over: a payment made now is refunded.</p>' : ''}
<p><button data-outcome="success">Pay</button> <button data-outcome="failure">Decline</button></p>
<p id="said" role="status"></p></section>`,
    script,
  );
};
